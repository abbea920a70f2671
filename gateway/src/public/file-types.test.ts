import { expect, test } from '@jest/globals';
import { allowedFile } from './file-types.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const text = (content: string) => Buffer.from(content);

test.each([
  ['lamp.png', PNG, { name: 'lamp.png', type: 'image/png' }],
  ['lamp.JPG', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]), { name: 'lamp.JPG', type: 'image/jpeg' }],
  ['bill.pdf', text('%PDF-1.7\n'), { name: 'bill.pdf', type: 'application/pdf' }],
  ['notes.md', text('\ufeffÜber Lampen\n'), { name: 'notes.md', type: 'text/plain' }],
  ['latin.csv', Buffer.from('a;b\nfr\xfch;sp\xe4t', 'latin1'), { name: 'latin.csv', type: 'text/plain' }],
  ['wide.txt', Buffer.from('\ufeffLampe', 'utf16le'), { name: 'wide.txt', type: 'text/plain' }],
])('%s is accepted as what it is', async (name, content, expected) => {
  expect(await allowedFile(name, content)).toEqual(expected);
});

test('a name gets the extension of its content, so that nothing runs by a double click', async () => {
  expect((await allowedFile('lamp.exe', PNG)).name).toBe('lamp.exe.png');
  expect((await allowedFile('bill.pdf.bat', text('del *.*'))).name).toBe('bill.pdf.bat.txt');
  expect((await allowedFile('', PNG)).name).toBe('file.png');
  expect((await allowedFile('a\r\nb\0.png', PNG)).name).toBe('a b .png');
  expect([...(await allowedFile(`${'x'.repeat(500)}.png`, PNG)).name]).toHaveLength(255);
});

test.each([
  ['a page', text(' \n<!doctype html><script>alert(1)</script>')],
  ['a page behind a mark', text('\ufeff<html>')],
  ['an image in markup', text('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['XML', text('<?xml version="1.0"?><x/>')],
  ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')],
  ['a program of another system', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1')],
  ['an archive', Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1')],
  ['unknown bytes', Buffer.from([1, 2, 3])],
])('%s is refused, whatever its name', async (_, content) => {
  for (const name of ['x.png', 'x.txt', 'x'])
    await expect(allowedFile(name, content)).rejects.toThrow(`"${name}" is of`);
});
