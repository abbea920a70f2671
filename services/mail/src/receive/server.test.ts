import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Code } from '@connectrpc/connect';
import { afterEach, expect, test } from '@jest/globals';
import { readEnv, readNetworks, unavailable } from '@parley/runtime';
import { gate, until } from '@parley/runtime/testing';
import { DOMAIN, type MailService, mailService } from '../testing/mail-service.ts';

let mail: MailService;
afterEach(() => mail?.stop());
async function start(...options: Parameters<typeof mailService>) {
  mail = await mailService(...options);
  return mail;
}

const testing = (name: string) => fileURLToPath(new URL(`../testing/${name}`, import.meta.url));
const SUPPORT = `support@${DOMAIN}`;

/** Says lines to the server, as a program that knows no manners does; resolves with all that it says. */
function say(port: number, ...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1');
    socket
      .on('data', (data) => {
        // Who talks before the greeting is cut off.
        if (heard === '') socket.write(lines.map((line) => `${line}\r\n`).join(''));
        heard += data;
        if (lines.length === 0 || /^221/m.test(heard)) socket.end();
      })
      .on('error', reject)
      .on('close', () => resolve(heard));
  });
}

const began = ['EHLO x', 'MAIL FROM:<ann@example.com>', `RCPT TO:<${SUPPORT}>`];

test('STARTTLS is offered with the certificate, and not without one', async () => {
  const tls = { cert: testing('first.cert.pem'), key: testing('first.key.pem') };
  await start({ tls });
  const ca = readFileSync(tls.cert);
  const client = mail.client({ ignoreTLS: false, requireTLS: true, tls: { ca, servername: 'first.parley.example' } });
  await client.sendMail({ from: 'ann@example.com', to: SUPPORT, text: 'Why?' });
  expect(mail.received()).toHaveLength(1);
  await mail.stop();
  await start();
  expect(await say(mail.port, 'EHLO x', 'QUIT')).not.toContain('STARTTLS');
});

test('the raw message and its attachments are stored before the conversation hears of it, and 250 comes last', async () => {
  await start();
  let stored: Record<string, Buffer> = {};
  mail.state.beforeReceive = async () => {
    stored = await mail.files();
  };
  const attachments = [{ filename: 'a.bin', content: Buffer.from([0, 255, 13, 10, 46]) }];
  const { response } = await mail.send({ attachments });
  expect(response).toMatch(/^250 /);
  const [{ operation, message } = { operation: '' }] = mail.received();
  expect(message).toBe('Why?');
  expect(String(stored[`${operation}/raw.eml`])).toContain('Subject: Lamp');
  // The directory puts a header of its own before the content.
  expect(stored[`${operation}/0.bin`]!.subarray(-5)).toEqual(attachments[0]!.content);
});

test('while a part of the system is unavailable, the sender has to try again, and then it is the same message', async () => {
  await start();
  mail.state.fails = Code.Unavailable;
  await expect(mail.send()).rejects.toMatchObject({ responseCode: 451 });
  mail.state.fails = undefined;
  const operations = new Set<string>();
  mail.state.beforeReceive = async () => {
    for (const { operation } of mail.received()) operations.add(operation);
    if (operations.size === 0) mail.state.fails = Code.DeadlineExceeded;
  };
  const message = { messageId: '<again@example.com>', date: new Date(0) };
  await expect(mail.send(message)).rejects.toMatchObject({ responseCode: 451 });
  mail.state.fails = undefined;
  mail.state.beforeReceive = async () => {};
  for (let i = 0; i < 2; i++) await mail.send(message);
  expect(mail.received()).toHaveLength(1);
});

test('a message that can not be stored is not received', async () => {
  await start({ objects: { put: async () => Promise.reject(unavailable('Full.')) } });
  await expect(mail.send()).rejects.toMatchObject({ responseCode: 451 });
  expect(mail.received()).toEqual([]);
});

test.each([
  ['another domain', 'ann@example.org', 550],
  ['a domain below ours', `support@sub.${DOMAIN}`, 550],
  ['a way through ours', `ann%example.org@${DOMAIN}`, 550],
  ['an inbox by its id', `01890a5d-ac96-474b-8cce-102099a80570@${DOMAIN}`, 550],
  ['nobody', `nobody@${DOMAIN}`, 550],
])('mail to %s is refused at once', async (_, to, responseCode) => {
  await start();
  await expect(mail.send({ to })).rejects.toMatchObject({ responseCode, command: 'RCPT TO' });
});

test('a sender who is blocked is refused at RCPT, and by the author of the message', async () => {
  await start();
  await expect(mail.send({ from: 'eve@example.com' })).rejects.toMatchObject({ responseCode: 550, command: 'RCPT TO' });
  const envelope = { from: 'relay@example.org', to: SUPPORT };
  await expect(mail.send({ envelope, from: 'eve@example.com' })).rejects.toMatchObject({ responseCode: 550 });
  expect(mail.received()).toEqual([]);
});

test('of several recipients, those that can be reached get the message', async () => {
  await start();
  const { rejected } = await mail.send({ to: [SUPPORT, `SALES@${DOMAIN.toUpperCase()}`, `nobody@${DOMAIN}`] });
  expect(rejected).toEqual([`nobody@${DOMAIN}`]);
  expect(new Set(mail.received().map(({ assistantId }) => assistantId)).size).toBe(2);
});

test('a message that is too large is refused, by its announced and by its real size', async () => {
  await start({ limits: { bytes: 10_000 } });
  const text = 'x'.repeat(20_000);
  await expect(mail.send({ text })).rejects.toMatchObject({ responseCode: 552 });
  const lines = Array<string>(400).fill('x'.repeat(70));
  expect(await say(mail.port, ...began, 'DATA', ...lines, '.', 'QUIT')).toMatch(/^552[ -]5\.3\.4/m);
  await mail.send();
  expect(mail.received()).toHaveLength(1);
});

test('messages in progress have a limit of bytes, and room is free again after each', async () => {
  await start({ limits: { bytesInFlight: 5_000 } });
  for (let i = 0; i < 3; i++) await mail.send({ text: `${i}${'x'.repeat(3_000)}` });
  const [entered, held] = [gate(), gate()];
  mail.state.beforeReceive = () => {
    entered.open();
    return held.opened;
  };
  const first = mail.send({ text: `a${'x'.repeat(3_000)}` });
  await entered.opened;
  await expect(mail.send({ text: `b${'x'.repeat(3_000)}` })).rejects.toMatchObject({ responseCode: 452 });
  held.open();
  await first;
});

test('an address has a limit of connections and of mails, and a trusted relay has none', async () => {
  await start({ limits: { connections: 20, perMinute: 3 } });
  const sockets = Array.from({ length: 2 }, () => connect(mail.port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  expect(await say(mail.port)).toMatch(/^421[ -]/m);
  for (const socket of sockets) socket.destroy();
  await until(async () => /^220/m.test(await say(mail.port, 'QUIT')));
  for (let i = 0; i < 3; i++) await mail.send();
  await expect(mail.send()).rejects.toMatchObject({ responseCode: 421 });
  await mail.stop();
  const trusted = readNetworks(readEnv({ MAIL_TRUSTED: '127.0.0.0/8' }), 'MAIL_TRUSTED');
  await start({ limits: { trusted, connections: 20, perMinute: 1 } });
  for (let i = 0; i < 3; i++) await mail.send();
  expect(mail.received()[0]!.mail).toMatchObject({ authenticated: true });
});

test('headers that are too long are refused, and parts that are nested too deep are kept unread', async () => {
  await start();
  await expect(mail.send({ headers: { 'X-Long': 'x '.repeat(150_000) } })).rejects.toMatchObject({ responseCode: 552 });
  const deep = (depth: number): string =>
    depth === 0
      ? 'Content-Type: text/plain\r\n\r\nDeep.'
      : `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n${deep(depth - 1)}\r\n--b${depth}--\r\n`;
  await mail.send({ raw: `From: ann@example.com\r\n${deep(60)}`, envelope: { from: 'ann@example.com', to: SUPPORT } });
  const [{ operation, message, mail: known } = { operation: '' }] = mail.received();
  expect(message).toContain('could not be read');
  expect(known).toMatchObject({ automatic: true });
  expect(String((await mail.files())[`${operation}/raw.eml`])).toContain('Deep.');
});

test('a line with a dot that is not the end of the message does not begin another one', async () => {
  await start();
  const smuggled = `Hello.\n.\nMAIL FROM:<eve@example.com>\nRCPT TO:<${SUPPORT}>\nDATA\nSubject: Smuggled\n\nx`;
  for (const text of [smuggled, smuggled.replaceAll('\n', '\r'), smuggled.replace('\n.\n', '\n.\r\n')])
    await say(mail.port, ...began, 'DATA', 'From: ann@example.com', '', text, '.', 'QUIT');
  expect(mail.received().length).toBeGreaterThan(0);
  expect(mail.received().map(({ subject }) => subject)).not.toContain('Smuggled');
});

test('a long text is cut in the conversation, and whole in the raw message', async () => {
  await start();
  const text = 'All of it. '.repeat(2_000);
  await mail.send({ text });
  const [{ operation, message, mail: known } = { operation: '' }] = mail.received();
  expect([...message!]).toHaveLength(10_000);
  expect(known).toMatchObject({ isCut: true });
  expect((await mail.files())[`${operation}/raw.eml`]!.length).toBeGreaterThan(text.length);
});

test.each([
  ['the null sender', { envelope: { from: '', to: SUPPORT } }],
  ['Auto-Submitted', { headers: { 'Auto-Submitted': 'auto-replied' } }],
  ['a mailing list', { list: { id: 'l.example.com' } }],
  ['our own address', { from: `support@${DOMAIN}` }],
  ['our own Message-ID', { messageId: `<x@${DOMAIN}>` }],
])('mail with %s is received as automatic', async (_, message) => {
  await start();
  await mail.send({ from: 'ann@example.com', ...message });
  expect(mail.received()).toMatchObject([{ mail: { automatic: true } }]);
});

test('a report that a mail failed marks that mail, and one that it is late nothing; neither is a message', async () => {
  await start();
  const corpus = '../../../../packages/reading/src/mail/testing/mails/';
  const failed = readFileSync(new URL(`${corpus}bounce-postfix.eml`, import.meta.url), 'utf8');
  const report = (raw: string) => mail.client().sendMail({ raw, envelope: { from: '', to: SUPPORT } });
  await report(failed.replace('Action: failed', 'Action: delayed'));
  expect(mail.state.bounced).toEqual([]);
  await report(failed);
  expect(mail.state.bounced).toEqual([{ sentMailId: 'answer', reason: '5.1.1 550 5.1.1 No such user' }]);
  expect(mail.received()).toEqual([]);
});
