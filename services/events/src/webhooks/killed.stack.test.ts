import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { accepts, type Receiver } from './testing/receivers.ts';
import { eventsOf, SECRET, webhookWorld } from './testing/world.ts';

const w = webhookWorld();
const CHILD = fileURLToPath(new URL('./testing/child.ts', import.meta.url));

/** When a process is killed: at these requests, before or after they are answered. */
const KILLS: Record<number, 'before' | 'after'> = { 1: 'before', 20: 'after', 90: 'before', 200: 'after' };

test('processes killed by kill -9 while a receiver reads, answers and has answered lose nothing, and repeat only whole ids', async () => {
  const setup = await w.replica({ idle: true });
  const receiver = await w.receiver();
  const { account } = await w.subscribed(setup, receiver);
  const resources = Array.from({ length: 300 }, (_, i) => `r${i % 20}`);
  const events = eventsOf(account, resources);
  let child: ChildProcess;
  let requests = 0;
  const kills: Receiver['answer'] = (message, response) => {
    requests++;
    const kill = KILLS[requests];
    if (kill === 'before') child.kill('SIGKILL');
    accepts(message, response);
    if (kill === 'after') child.kill('SIGKILL');
  };
  receiver.answer = kills;
  await setup.events.append(account, events);
  let deaths = 0;
  const start = () => {
    child = spawn(process.execPath, [CHILD, w.database.uri, w.database.name, SECRET], { stdio: 'ignore' });
    return once(child, 'exit');
  };
  let ended = start();
  try {
    while (deaths < Object.keys(KILLS).length) {
      expect(await ended).toEqual([null, 'SIGKILL']);
      deaths++;
      await w.expireClaims();
      ended = start();
    }
    await w.isIdle(account, 200_000);
  } finally {
    child!.kill('SIGKILL');
    await ended;
  }
  const first = [...new Set(receiver.asked.map(({ id }) => id))];
  expect(first.length).toBe(events.length);
  for (const resource of new Set(resources)) {
    const ids = events.filter((event) => event.resource === resource).map(({ _id }) => _id);
    expect(first.filter((id) => ids.includes(id))).toEqual(ids);
  }
});
