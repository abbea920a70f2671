import { expect, test } from '@jest/globals';
import { decode } from './charset.ts';

const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]); // café

test('the byte order mark wins over the header, and the header over the meta element', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('é', 'utf16le')]);
  expect(decode(utf16, 'text/html; charset=iso-8859-1')).toBe('é');
  expect(decode(Buffer.from('\uFEFFé'), 'text/html; charset=iso-8859-1')).toBe('é');
  const page = Buffer.concat([Buffer.from('<meta charset=utf-8>'), latin]);
  expect(decode(page, 'text/html; Charset="ISO-8859-1"')).toContain('café');
});

test.each([
  ['<meta charset="shift_jis">', Buffer.from([0x93, 0xfa]), '日'],
  ["<META http-equiv='Content-Type' content='text/html; charset=windows-1251'>", Buffer.from([0xc4, 0xe0]), 'Да'],
  ['<meta charset=utf-16>', Buffer.from('é'), 'é'],
])('%s is believed as far as it can be true', (meta, bytes, text) => {
  expect(decode(Buffer.concat([Buffer.from(meta), bytes]), 'text/html')).toBe(meta + text);
});

test('without a declaration, a page is UTF-8, or else Windows-1252', () => {
  expect(decode(Buffer.from('café — 日'), '')).toBe('café — 日');
  expect(decode(latin)).toBe('café');
  expect(decode(Buffer.concat([latin, Buffer.from([0x93, 0x80, 0x9f])]), 'text/html; charset=no-such-thing')).toBe(
    'café“€Ÿ',
  );
});
