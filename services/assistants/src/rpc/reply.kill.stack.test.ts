import { afterEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { ask, QUESTION, shop, threadDocs, transcript } from '../testing/assistants.ts';
import { type Dying, startDying } from '../testing/start-dying.ts';

let dying: Dying | undefined;
afterEach(() => dying?.kill());

test.each(['the question is stored', 'the model is asked', 'the answer is known', 'the answer is stored'])(
  'killed when %s, another replica finishes the reply for the same operation, exactly once',
  async (step) => {
    const place = await shop();
    const operation = randomId();
    dying = await startDying(step);
    const { replica, reached, kill } = dying;
    const cut = expect(ask(place, { operation, replica })).rejects.toThrow();
    expect(await reached()).toBe('reached');
    await kill();
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
