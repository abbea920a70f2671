import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLog, createMetrics } from '@parley/runtime';
import { openBus } from '@parley/runtime/bus';
import { until } from '@parley/runtime/testing';
import type { ServiceProcess } from '../../deploy/stack/service-process.ts';
import { startStack } from '../../deploy/stack/start-stack.ts';
import { TRAINING_STEPS, type TrainingStep } from '../../services/trainer/src/testing/training-steps.ts';
import { must } from '../e2e/api.ts';
import type { Chat, Reply } from '../e2e/resources.ts';
import { held, html, site } from '../e2e/site.ts';
import { openStack } from '../e2e/system.ts';
import { prepared, type Stops } from '../e2e/world.ts';
import { startDoomedTrainer } from './doomed-trainer.ts';
import { insist } from './insist.ts';
import { lateServers } from './late-servers.ts';
import { type Load, repeat, startLoad, train } from './load.ts';
import { type Watch, watch } from './watch.ts';
import { type Ends, expectWhole, hearEnds } from './whole.ts';

// A lease expires after 30 seconds, and a fault may last 40.
jest.setTimeout(240_000);

/** A consumer that Kafka lost is replaced after 30 seconds, and joins its group while others leave and join. */
const RECOVERED_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 250;
/** These report that they are not ready without Kafka; the gateway and auth do not need it. */
const ON_THE_BUS = ['knowledge', 'assistants', 'conversations', 'events', 'trainer-1', 'trainer-2'];
const ON_THE_STORE = ['knowledge', 'trainer-1', 'trainer-2'];

/** Starts a stack whose processes start before the servers that they need. */
async function startEarly(stops: Stops) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-faults-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const late = await lateServers(dataDir);
  stops.push(late.stop);
  const settings = { EMBEDDINGS: 'none', CRAWL_ALLOW: '127.0.0.1/32', CRAWL_DELAY_MS: '0', OPENAI_BASE_URL: '' };
  const starting = startStack({ dataDir, variables: { ...late.variables, ...settings } });
  const waiting = until(
    () => Promise.all(ON_THE_STORE.map((name) => logOf(dataDir, name))),
    (logs) => logs.every((log) => log.includes('waiting for it')),
    RECOVERED_WITHIN_MS,
    LOOK_EVERY_MS,
  );
  // If a process can't start at all, that is what went wrong.
  await Promise.race([waiting, starting]);
  const servers = await late.start();
  const stack = await starting;
  stops.push(async () => printFaults(dataDir));
  stops.push(stack.stop);
  const bus = openBus(
    { kafka: { brokers: [servers.kafka.brokers], clientId: 'faults' } },
    createLog('faults', 'silent'),
    createMetrics(),
  );
  const ends: Ends = hearEnds(bus);
  await bus.start?.();
  stops.push(async () => bus.stop());
  return { ...(await openStack(stack, stops)), servers, stack, ends };
}

const logOf = (dataDir: string, name: string) => readFile(join(dataDir, 'logs', `${name}.log`), 'utf8').catch(() => '');

const MAX_PRINTED = 20;

/** Prints the requests and calls that processes logged as errors, because a 500 does not reveal its cause. */
async function printFaults(dataDir: string): Promise<void> {
  const logs = await Promise.all(all.map(({ name }) => logOf(dataDir, name)));
  const faults = logs.flatMap((log) => log.split('\n')).filter((line) => /"(request|rpc) failed"/.test(line));
  for (const line of faults.filter((each) => each.includes('"level":"error"')).slice(0, MAX_PRINTED))
    process.stderr.write(`${line}\n`);
}

const { stack, servers, ends, mongo, account, stop } = await prepared<
  { stop(): Promise<void> } & Awaited<ReturnType<typeof startEarly>>
>(startEarly);
afterAll(stop);

const { kafka, minio, engine } = servers;
const all = Object.values(stack.processes);
const processOf = (name: string): ServiceProcess => stack.processes[name]!;

let load: Load;
let seen: Watch;
beforeEach(async () => {
  load = await startLoad(await account('Cleo'));
  await load.round();
  seen = watch(all);
});
afterEach(async () => {
  await seen.stop();
  await load.stop();
});

/** Expects that everything recovers from a fault by itself, all work continues, and nothing was lost or done twice. */
async function expectRecovery(killed: string[] = []): Promise<void> {
  await allReady();
  await load.round();
  await load.stop();
  await expectWhole(load, mongo, ends);
  expect([...seen.silent].filter((name) => !killed.includes(name))).toEqual([]);
}

const allReady = () =>
  until(
    () => Promise.all(all.map(async ({ name, unready }) => [name, await unready()])),
    (answers) => answers.every(([, reason]) => reason === ''),
    RECOVERED_WITHIN_MS,
    LOOK_EVERY_MS,
  );

const unready = (names: string[]) =>
  until(
    async () => names.filter((name) => seen.reasons.get(name)!.size === 0),
    (stillReady) => stillReady.length === 0,
    RECOVERED_WITHIN_MS,
  );

/** Suspends the process while `act` runs, and resumes it even if that fails. */
async function whileStopped<T>(pid: number, act: () => Promise<T>): Promise<T> {
  process.kill(pid, 'SIGSTOP');
  try {
    return await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

test('every process can be restarted in turn, and no request fails permanently', async () => {
  for (const each of all) {
    await each.restart();
    await until(each.unready, (reason) => reason === '', RECOVERED_WITHIN_MS, LOOK_EVERY_MS);
  }
  await expectRecovery(all.map(({ name }) => name));
});

test('after kill -9 of both trainers during a training, their successors finish it', async () => {
  const slow = held(html('Slow', 'The slow kiln is fired in March.'));
  await using pages = await site({ '/': html('Slow', 'There is a slow kiln.', ['/slow']), '/slow': slow.served });
  const website = await load.account.website(pages.url);
  must(await load.account.api.put(`/knowledge/${website.id}/train`));
  await slow.arrived;
  const trainers = ['trainer-1', 'trainer-2'].map(processOf);
  for (const trainer of trainers) trainer.kill('SIGKILL');
  pages.pages['/slow'] = html('Slow', 'The slow kiln is fired in October.');
  await Promise.all(trainers.map((trainer) => trainer.restart()));
  await train(load.account, website);
  const { message } = await load.account.ask(await load.account.chatbot(website), 'When is the slow kiln fired?');
  expect(message).toContain('October');
  load.items.push(website);
  await expectRecovery(['trainer-1', 'trainer-2']);
});

test('after kill -9 of a trainer at each step of a training, other trainers finish it', async () => {
  await using pages = await site({
    '/': html('Wheel', 'There is a wheel.', ['/wheel']),
    '/wheel': html('The wheel', 'The wheel turns to the left.'),
  });
  // A killed trainer's item waits for its lease to expire. One item per step, so that none runs out of attempts.
  const websites = await Promise.all(TRAINING_STEPS.map(() => load.account.website(pages.url)));
  const asking = repeat(async (n) => {
    pages.pages['/wheel'] = html('The wheel', `The wheel turns ${n} times.`);
    await Promise.all(websites.map(({ id }) => insist(() => load.account.api.put(`/knowledge/${id}/train`))));
  });
  const dieAt = async (step: TrainingStep) => {
    const doomed = await startDoomedTrainer(step, stack);
    doomed.kill('SIGKILL');
    await doomed.exited;
  };
  await Promise.all(TRAINING_STEPS.map(dieAt));
  await asking.stop();
  await Promise.all(websites.map((website) => train(load.account, website)));
  load.items.push(...websites);
  await expectRecovery();
}, 400_000);

test('after kill -9 of the assistants during a reply, the next process answers the question exactly once', async () => {
  const { account, chatbot } = load;
  const chat = await insist(() => account.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message: 'Is it hot?' }));
  const conversation = async () =>
    (await insist(() => account.api.get<Chat>(`/chatbot/${chatbot.id}/chats/${chat.id}`))).conversation;
  const [assistants, knowledge] = [processOf('assistants'), processOf('knowledge')];
  const body = { message: 'Where does the clay come from?', session_id: chat.session_id };
  const once = { 'Idempotency-Key': randomUUID() };

  const asking = await whileStopped(knowledge.pid, async () => {
    const asked = insist(() => account.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, body, once));
    asked.catch(() => {}); // Awaited below.
    await until(conversation, ({ length }) => length === 3, RECOVERED_WITHIN_MS);
    assistants.kill('SIGKILL');
    return { asked };
  });
  await assistants.restart();
  const { message } = await asking.asked;
  expect((await conversation()).slice(2)).toEqual([
    { role: 'user', message: body.message },
    { role: 'assistant', message },
  ]);
  await expectRecovery(['assistants', 'knowledge']);
});

test('events published while the assistants are down reach the next process, which takes over their group', async () => {
  const { api } = load.account;
  const old = await load.account.faq('Old', { 'Cold?': 'Cold.' });
  await train(load.account, old);
  const chatbot = await load.account.chatbot(old);
  processOf('assistants').kill('SIGKILL');
  await insist(() => api.del(`/knowledge/${old.id}`));
  await processOf('assistants').restart();
  await until(
    () => mongo.db('parley_assistants').collection('assistants').countDocuments({ 'knowledge.item': old.id }),
    (attached) => attached === 0,
    RECOVERED_WITHIN_MS,
  );
  expect((await insist(() => api.get<{ total: number }>(`/chatbot/${chatbot.id}/knowledge`))).total).toBe(0);
  await expectRecovery(['assistants']);
});

test('while Kafka is down work continues and readiness reports it; events are delivered once it is back', async () => {
  kafka.kill('SIGKILL');
  await unready(ON_THE_BUS);
  await load.round();
  await kafka.restart();
  await expectRecovery();
});

test('the system recovers after Kafka hangs for 40 seconds', async () => {
  await whileStopped(kafka.pid, () => Promise.all([unready(ON_THE_BUS), pause(40_000)]));
  await expectRecovery();
});

test('while the file store is down no training fails; those of websites wait, and finish once it is back', async () => {
  minio.kill('SIGKILL');
  await Promise.all([unready(ON_THE_STORE), pause(15_000)]);
  await minio.restart();
  await expectRecovery();
});

test('the system recovers after the file store hangs for 35 seconds, longer than the timeout of a call', async () => {
  await whileStopped(minio.pid, () => Promise.all([unready(ON_THE_STORE), pause(35_000)]));
  await expectRecovery();
});

test('the system recovers after the database hangs for 15 seconds', async () => {
  await whileStopped(engine.pid, () => Promise.all([unready([...ON_THE_BUS, 'auth']), pause(15_000)]));
  await expectRecovery();
});
