import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { ask, childArguments, childClient, QUESTION, shop, threadDocs, transcript } from '../testing/assistants.ts';

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

/** A replica in its own process that stops at a step. */
async function startDying(step: string) {
  child = spawn(process.execPath, childArguments(step), { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  const port = Number((await next()).slice('port '.length));
  return { replica: childClient(port), reached: next };
}

test.each(['the question is stored', 'the model is asked', 'the answer is known', 'the answer is stored'])(
  'killed when %s, another replica finishes the reply for the same operation, exactly once',
  async (step) => {
    const place = await shop();
    const operation = randomId();
    const { replica, reached } = await startDying(step);
    const cut = expect(ask(place, { operation, replica })).rejects.toThrow();
    expect(await reached()).toBe('reached');
    const dead = once(child!, 'exit');
    child!.kill('SIGKILL');
    await dead;
    const reply = await ask(place, { operation });
    await cut;
    expect(await transcript(place.account, place.chatbot.id, reply.id)).toEqual([
      `user: ${QUESTION}`,
      `assistant: ${reply.message}`,
    ]);
    expect(await threadDocs.countDocuments({ account: place.account, n: 2 })).toBe(1);
    expect((await ask(place, { operation })).message).toBe(reply.message);
  },
);
