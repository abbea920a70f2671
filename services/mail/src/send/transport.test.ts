import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { SMTPServer } from 'smtp-server';
import type { SendingConfig } from '../config.ts';
import { createMailTransport, NotSent, type Transport } from './transport.ts';

const keyFile = fileURLToPath(new URL('../testing/dkim.key.pem', import.meta.url));
const message = { mailId: 'one', from: 'support@parley.example', to: 'ann@example.com', subject: 'Re', text: 'So.' };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function started(config: SendingConfig): Promise<Transport> {
  const transport = createMailTransport(config, 'parley.example');
  await transport.start!(AbortSignal.timeout(60_000));
  stops.push(async () => transport.stop!());
  return transport;
}

/** A server that accepts mail, or refuses it with a code. */
async function server(refuses?: number) {
  const received: Buffer[] = [];
  const smtp = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    async onData(stream, _, callback) {
      received.push(Buffer.concat(await stream.toArray()));
      callback(refuses ? Object.assign(new Error('Not now,\r\nplease.'), { responseCode: refuses }) : null);
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => smtp.close(() => resolve())));
  return { received, smtp: `smtp://127.0.0.1:${(smtp.server.address() as { port: number }).port}` };
}

test('what is sent is signed with the given key, so that its domain vouches for it', async () => {
  const { received, smtp } = await server();
  const transport = await started({ to: { smtp }, dkim: { keyFile, selector: 's1' } });
  await transport.send(message);
  const p = createPublicKey(readFileSync(keyFile)).export({ type: 'spki', format: 'der' }).toString('base64');
  const asked: string[] = [];
  const resolver = async (name: string) => {
    asked.push(name);
    return [[`v=DKIM1; k=rsa; p=${p}`]];
  };
  const { results } = await dkimVerify(received[0]!, { resolver: resolver as never });
  expect(results).toMatchObject([{ status: { result: 'pass', aligned: 'parley.example' } }]);
  expect(asked).toEqual(['s1._domainkey.parley.example']);
});

test.each([
  ['refused for good', 550, true],
  ['refused for now', 451, false],
  ['refused because of who we are', 535, false],
])('a mail that is %s (%i) is tried again: %s means never', async (_, code, isFinal) => {
  const transport = await started({ to: { smtp: (await server(code)).smtp } });
  const sending = transport.send(message);
  await expect(sending).rejects.toBeInstanceOf(NotSent);
  await expect(sending).rejects.toMatchObject({
    isFinal,
    message: expect.stringMatching(new RegExp(`^${code}[^\\r\\n]*`)),
  });
});

test('a server that is not there says nothing of our hosts, and the mail is tried again', async () => {
  const transport = await started({ to: { smtp: 'smtp://127.0.0.1:1' } });
  const refusal = { isFinal: false, message: 'The mail server could not be reached.' };
  await expect(transport.send(message)).rejects.toMatchObject(refusal);
});

test('a mail that is written twice is one file, whole at any time, which nobody else may read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-outbox-'));
  const transport = await started({ to: { dir } });
  await Promise.all([transport.send(message), transport.send({ ...message, mailId: 'two' })]);
  await transport.send({ ...message, text: 'Again.' });
  expect((await readdir(dir)).sort()).toEqual(['one.eml', 'two.eml']);
  expect(await readFile(join(dir, 'one.eml'), 'utf8')).toContain('Again.');
});

test('a mail holds no file of this machine, whatever it is made of', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-outbox-'));
  await writeFile(join(dir, 'secret'), 'the secret');
  const transport = await started({ to: { dir } });
  const attached = { ...message, attachments: [{ path: join(dir, 'secret') }] };
  await expect(transport.send(attached)).rejects.toThrow();
});

test('a key that can’t be read stops the start, and is named', async () => {
  const transport = createMailTransport(
    { to: { dir: tmpdir() }, dkim: { keyFile: '/nowhere', selector: 's' } },
    'x.example',
  );
  await expect(transport.start!(AbortSignal.timeout(60_000))).rejects.toThrow('MAIL_DKIM_KEY');
});
