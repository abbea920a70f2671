import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { issue, mountCertificate, until } from '@parley/runtime/testing';
import { PROCESS_NAMES, RPC_NAMES } from '../../deploy/processes.ts';
import { type Stack, startStack } from '../../deploy/stack/start-stack.ts';
import { type Answer, must } from '../e2e/api.ts';
import { UNLIMITED, visitorOf } from '../e2e/visitor.ts';
import { accountOn } from '../e2e/world.ts';

const QUESTION = 'Where is the key?';

/** The trainer is neither called nor calls. */
const CALLING = PROCESS_NAMES.filter((name) => name !== 'trainer');

/** The certificate, and the CAs that are accepted: a new CA comes before what it signs, and an old one goes after that. */
const STEPS: [certificate: string, cas: string[]][] = [
  ['first', ['ca', 'next-ca']],
  ['second', ['ca', 'next-ca']],
  ['second', ['next-ca']],
];

test('while requests run, certificates and CA of all processes are renewed: no request fails, and new connections use them', async () => {
  await using stops = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  stops.defer(() => rm(dir, { recursive: true, force: true }));
  const mounted = join(dir, 'mounted');
  for (const ca of ['ca', 'next-ca']) await issue(dir, ca);
  await issue(dir, 'first', { by: 'ca' });
  await issue(dir, 'second', { by: 'next-ca' });
  await mountCertificate(mounted, dir, 'first', ['ca']);
  const variables = { ...UNLIMITED, RPC_TLS_DIR: mounted, RPC_TLS_NAME: '127.0.0.1', EMBEDDINGS: 'none' };
  const stack = await startStack({ dataDir: join(dir, 'stack'), embedded: true, trainers: 1, variables });
  stops.defer(stack.stop);

  const account = await accountOn(stack)('Ada');
  const faq = await account.faq('Keys', { [QUESTION]: 'The key is under the mat.' });
  await account.train(faq);
  const bot = await account.chatbot(faq);
  const form = must(await account.api.post<{ id: string }>('/ticket-forms', { title: 'F' }));

  const failures: unknown[] = [];
  let served = 0;
  /** Asks each service through the gateway. */
  async function use() {
    const visitor = visitorOf(stack.endpoints.gateway, bot.public_id);
    const tried: [string, Promise<Answer<unknown>>][] = [
      ['auth', account.api.get('/me')],
      ['knowledge', account.api.get('/knowledge')],
      ['assistants', visitor.ask(QUESTION)],
      ['conversations', account.api.get(`/ticket-form/${form.id}/tickets`)],
      ['events', account.api.get('/webhooks')],
    ];
    for (const [what, answer] of tried) {
      const { status, body } = await answer;
      if (status !== 200) failures.push([what, status, body]);
      served++;
    }
  }
  let running = true;
  const load = Array.from({ length: 4 }, async () => {
    while (running) await use().catch((error) => void failures.push(error));
  });
  const enough = async () => {
    const most = served + 100;
    await until(() => served > most || failures.length > 0);
  };

  await enough();
  for (const [step, [certificate, cas]] of STEPS.entries()) {
    await mountCertificate(mounted, dir, certificate, cas);
    for (const name of CALLING) await until(async () => (await renewals(stack, name)) > step);
    await enough();
  }
  running = false;
  await Promise.all(load);

  expect(failures).toEqual([]);
  for (const name of RPC_NAMES) expect(await shownBy(stack.endpoints[name], dir)).toBe('second');
  await stack.processes['gateway']!.restart();
  await stack.allReady();
  await use();
  expect(failures).toEqual([]);
});

/** How often a process has noticed that its certificate was renewed. */
async function renewals(stack: Stack, name: string): Promise<number> {
  const log = await readFile(stack.processes[name]!.logFile, 'utf8');
  return log.split('the certificate was renewed').length - 1;
}

/** The name in the certificate that a service shows to a new connection. */
async function shownBy(address: string, dir: string): Promise<string> {
  const [host, port] = address.split(':');
  const [cert, key, ca] = await Promise.all(
    ['second.crt', 'second.key', 'next-ca.crt'].map((name) => readFile(join(dir, name))),
  );
  return new Promise((resolve, reject) => {
    const socket = connect({ host: host!, port: Number(port), cert: cert!, key: key!, ca: ca! }, () => {
      resolve(socket.getPeerCertificate().subject.CN as string);
      socket.destroy();
    }).on('error', reject);
  });
}
