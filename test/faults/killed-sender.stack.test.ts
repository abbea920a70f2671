import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { gate, until } from '@parley/runtime/testing';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../deploy/stack/server.ts';
import { must } from '../e2e/api.ts';
import { world } from '../e2e/world.ts';
import { type Child, startProgram } from './child.ts';

const { a, mongo, uri, dataDir, parley, stop } = await world({ embeddings: 'none' }, ({ parley }) =>
  parley.services.mail.stop(),
);
// Processes start slowly on a busy machine.
jest.setTimeout(90_000);
const mails = mongo.db('parley_conversations').collection('mails');
const DOMAIN = 'parley.localhost';

const senders: Child[] = [];
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.end('SIGKILL');
});
const next = await nextServer();
afterAll(async () => {
  next.close();
  await stop();
});

/** The server that mail leaves through: it keeps what it is given, and a test may hold it up. */
async function nextServer() {
  const state = { received: [] as string[], accept: async () => {}, port: await freePort() };
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'] },
    onData(stream, _, done) {
      text(stream)
        .then(async (mail) => {
          state.received.push(/^Message-ID: (\S+)/im.exec(mail)![1]!);
          await state.accept();
          done();
        })
        .catch(done);
    },
  });
  server.on('error', () => {}); // a sender that is killed breaks its connection
  await new Promise<void>((resolve) => server.listen(state.port, '127.0.0.1', resolve));
  return Object.assign(state, { close: () => server.close() });
}

/** Starts a mail service of its own; returns the port where it receives. */
async function startMail() {
  const port = await freePort();
  const child = startProgram('services/mail/src/main.ts', {
    ...{ HOST: '127.0.0.1', MAIL_PORT: `${port}`, MAIL_DOMAIN: DOMAIN, MAIL_TRUSTED: '127.0.0.0/8' },
    ...{ PARLEY_SECRET: parley.secret, MONGODB_URI: uri, OBJECTS_DIR: join(dataDir, 'objects') },
    ...{ ASSISTANTS_ADDRESS: parley.endpoints.assistants, CONVERSATIONS_ADDRESS: parley.endpoints.conversations },
    ...{ SMTP_URL: `smtp://127.0.0.1:${next.port}`, LOG_LEVEL: 'error' },
  });
  senders.push(child);
  return { child, port };
}

/** Sends as soon as somebody listens. */
async function send(port: number, to: string): Promise<void> {
  const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const mail = { from: 'ann@example.com', to, subject: 'Lamp', text: 'It flickers.' };
  await until(() => client.sendMail(mail).then(Boolean, () => false), Boolean, 60_000);
}

test.each([
  'before the next server has confirmed it',
  'after the next server has confirmed it, and before it has heard that',
])('a reply whose sender is killed %s is sent again, as the same mail', async (step) => {
  const isConfirmed = step.startsWith('after');
  const alias = `lamps-${isConfirmed}`;
  const inbox = must(await a.api.post<{ id: string }>('/email-inboxes', { alias, title: 'Lamps' }));
  const emails = `/email-inbox/${inbox.id}/emails`;
  const { child, port } = await startMail();
  await send(port, `${alias}@${DOMAIN}`);
  const [email] = must(await a.api.get<{ items: { id: string }[] }>(emails)).items;
  const deliveries = async () => {
    type Entry = { delivery?: { state: string } };
    const { conversation } = must(await a.api.get<{ conversation: Entry[] }>(`${emails}/${email!.id}`));
    return conversation.flatMap(({ delivery }) => (delivery ? [delivery.state] : []));
  };

  next.received.length = 0;
  const [reached, confirm] = [gate(), gate()];
  next.accept = async () => {
    reached.open();
    await confirm.opened;
  };
  must(await a.api.post(`${emails}/${email!.id}/reply`, { message: 'Change the bulb.' }));
  await reached.opened;
  next.accept = async () => {};
  child.signal('SIGSTOP');
  if (isConfirmed) confirm.open();
  await child.end('SIGKILL');
  confirm.open();

  // As if its lease had passed.
  await mails.updateMany({ direction: 'out', due: { $exists: true } }, { $set: { due: new Date(0) } });
  await startMail();
  await until(deliveries, ([state]) => state === 'sent', 60_000);
  expect(next.received).toHaveLength(2);
  expect(new Set(next.received).size).toBe(1);
});
