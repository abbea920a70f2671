import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ReadMail, readMail } from './read-mail.ts';

const FOLDER = fileURLToPath(new URL('./testing/mails/', import.meta.url));
const NAMES = readdirSync(FOLDER).map((file) => file.replace(/\.eml$/, ''));

const read = (name: string) => readMail({ raw: readFileSync(`${FOLDER}${name}.eml`), cut: true });
const readText = (text: string) => readMail({ raw: Buffer.from(text), cut: true });

const away = (text: string, headers: Record<string, string>) => ({
  text,
  references: ['answer@parley.example'],
  headers: expect.objectContaining(headers),
});
const bounce = (reason: string | RegExp) => ({
  report: { failed: true, reason: expect.stringMatching(reason) },
  copied: ['answer@parley.example'],
});
const attached = (...all: [name: string, type: string, isInline?: boolean][]) =>
  all.map(([name, type, isInline = false]) => expect.objectContaining({ name, type, isInline }));

/** The reading expected of each file of the folder. */
const EXPECTED: Record<string, object> = {
  alternative: {
    ...{
      from: { address: 'ann@example.com', name: 'Ann Doe' },
      subject: 'My lamp',
      messageId: 'alternative@example.com',
    },
    ...{ text: 'My lamp flickers – what can I do?', quoted: expect.stringMatching(/^On Sun.*\n> How can we help\?$/) },
  },
  'answered-inline': {
    text: '> Did you change the bulb?\nYes.\n> And the socket?\nNo.',
    quoted: 'Best regards,\nAnn',
  },
  'bottom-posted': { text: 'Yes, twice.', quoted: expect.stringMatching(/^On Mon[\s\S]*Ann Doe/) },
  'bounce-exchange': bounce(/^5\.2\.2 .*mailbox full/),
  'bounce-postfix': bounce('5.1.1 550 5.1.1 No such user'),
  'bounce-qmail': { report: undefined, copied: ['answer@parley.example'], messageId: undefined },
  delayed: { report: { failed: false, reason: '4.4.1' } },
  'eight-bit-subject': {
    ...{ from: { address: 'zoe@example.com', name: 'Zoë Müller' }, subject: 'Öffnungszeiten am Samstag' },
    text: 'Wann öffnen Sie?',
  },
  empty: { subject: '(empty)', text: '', attachments: [] },
  forwarded: { text: expect.stringMatching(/^Is this invoice right\?[\s\S]*You owe 12 euros\.$/), quoted: '' },
  'forwarded-as-attachment': {
    ...{ text: 'See the message attached.', attachments: attached(['Invoice 17.eml', 'message/rfc822']) },
  },
  'group-from': { from: { address: 'ann@example.com', name: '' }, subject: 'Line Bcc: eve@example.com' },
  'html-gmail': {
    ...{ text: 'It still flickers.\n\n- new bulb\n- other socket', quoted: expect.stringMatching(/Did you change/) },
    references: ['first@parley.example', 'zero@parley.example'],
  },
  'html-outlook': {
    text: 'Danke, es geht wieder für heute.',
    quoted: expect.stringMatching(/^Ann Doe\nLampen GmbH[\s\S]*Von: Support[\s\S]*gewechselt\?$/),
  },
  'inline-image': { text: 'Look:\n\nThe lamp\n\nIt flickers.', attachments: attached(['lamp.png', 'image/png', true]) },
  invitation: {
    text: 'Would you like to visit us on Friday?',
    attachments: attached(['', 'text/calendar'], ['invite.ics', 'application/ics']),
  },
  koi8: { subject: 'Лампа', text: 'Лампа мигает.' },
  newsletter: { headers: expect.objectContaining({ 'list-id': expect.any(String), precedence: 'list' }) },
  'no-from': { from: undefined, text: 'Guess.' },
  'no-headers': { from: undefined, messageId: undefined, subject: '' },
  'only-attachment': { text: '', attachments: attached(['Vertrag für Ann.pdf', 'application/pdf']) },
  'out-of-office-de': away('Ich bin bis Montag nicht im Büro.', { 'auto-submitted': 'auto-generated' }),
  'out-of-office-en': away('I am out of the office until Monday.', { 'auto-submitted': 'auto-replied' }),
  'out-of-office-es': away('Estoy fuera de la oficina hasta el lunes.', {
    'auto-submitted': 'auto-replied (vacation)',
  }),
  'out-of-office-fr': away('Je suis absente jusqu’à lundi.', { 'x-autoreply': 'yes' }),
  'out-of-office-ja': away('月曜日まで不在です。', { precedence: 'auto_reply' }),
  'out-of-office-pt': away('Estou ausente até segunda-feira.', { 'x-autorespond': 'yes' }),
  'outlook-text': { text: 'Thank you, it works now.', quoted: expect.stringMatching(/^-----Original Message-----/) },
  'shift-jis': { subject: '営業時間', text: '何時に開きますか。' },
  'smime-encrypted': { text: '', attachments: attached(['smime.p7m', 'application/pkcs7-mime']) },
  'smime-signed': {
    text: 'I want to cancel my contract.',
    attachments: attached(['smime.p7s', 'application/pkcs7-signature']),
  },
  truncated: { text: 'The rest is mis' },
  'unknown-charset': { subject: 'Café', text: 'Où est le café ?' },
  winmail: {
    ...{ text: 'Please find the contract attached.', attachments: attached(['winmail.dat', 'application/ms-tnef']) },
  },
  'wrong-charset': { text: 'Wann öffnen Sie?' },
};

test.each(NAMES)('%s.eml is read as a person would', async (name) => {
  expect(await read(name)).toMatchObject(EXPECTED[name]!);
});

test('what is hidden in an HTML message is not read', async () => {
  expect((await read('html-gmail')).text).not.toContain('Ignore');
});

test('headers beyond all bounds are refused, and long ones below them are read', async () => {
  const huge = (bytes: number) => `From: a@b.example\r\nX-Long: ${'x'.repeat(bytes)}\r\nSubject: S\r\n\r\nHello.`;
  expect(await readText(huge(200_000))).toMatchObject({ subject: 'S', text: 'Hello.' });
  await expect(readText(huge(300_000))).rejects.toThrow();
});

test('parts nested beyond all bounds are refused', async () => {
  const nested = (depth: number): string =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\nDeep.'
      : `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${nested(depth - 1)}\r\n--b${depth}--\r\n`;
  expect(await readText(nested(10))).toMatchObject({ text: 'Deep.' });
  await expect(readText(nested(60))).rejects.toThrow();
});

test('lists of attachments, references and long values are bounded', async () => {
  const part = '--b\r\nContent-Type: image/png; name="a.png"\r\nContent-Disposition: attachment\r\n\r\nx\r\n';
  const ids = Array.from({ length: 200 }, (_, i) => `<${i}@example.com>`).join(' ');
  const head = `From: a@b.example\r\nSubject: ${'s'.repeat(5_000)}\r\nReferences: ${ids} <${'x'.repeat(999)}@a>\r\n`;
  const mail = await readText(`${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n${part.repeat(150)}--b--\r\n`);
  expect(mail.attachments).toHaveLength(100);
  expect(mail.references).toHaveLength(50);
  expect(mail.references[0]).toBe('199@example.com');
  expect(mail.subject).toHaveLength(1_000);
});

test('no header that is read has a line break', async () => {
  const odd = fc.string({ unit: fc.constantFrom('=0D=0A', '=?utf-8?Q?', '?=', 'a', ' ', '\u2028', '=0A', '\t') });
  await fc.assert(
    fc.asyncProperty(odd, odd, async (subject, name) => {
      const mail = await readText(`From: "${name}" <a@b.example>\r\nSubject: ${subject}\r\n\r\nx`);
      for (const value of [mail.subject, mail.from?.name ?? '']) expect(value).not.toMatch(/[\r\n\u2028\u2029\0]/);
    }),
  );
});

test('whatever the bytes, a message is read or refused, and what is read is bounded', async () => {
  const files = NAMES.map((name) => readFileSync(`${FOLDER}${name}.eml`));
  const damage = fc.record({ at: fc.nat(3_000), with: fc.uint8Array({ maxLength: 20 }), cut: fc.nat(40) });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), fc.array(damage, { maxLength: 4 }), async (file, damages) => {
      let raw = file as Buffer;
      for (const { at, with: bytes, cut } of damages)
        raw = Buffer.concat([raw.subarray(0, at), bytes, raw.subarray(at + cut)]);
      const mail = await readMail({ raw, cut: true }).catch((error: Error): ReadMail | undefined => {
        expect(error).toBeInstanceOf(Error);
        return undefined;
      });
      if (!mail) return;
      expect(mail.text.isWellFormed() && mail.quoted.isWellFormed() && mail.subject.isWellFormed()).toBe(true);
      expect(mail.text).not.toContain('\0');
    }),
    { numRuns: 300 },
  );
});
