import { afterEach, expect, test } from '@jest/globals';
import { AiReply } from '@parley/proto/assistants/v1/assistants_service_pb';
import { AiState } from '@parley/proto/conversations/v1/conversations_service_pb';
import { QUESTION } from './testing/assistants.ts';
import { type Dying, startDying } from './testing/start-dying.ts';
import { form, opened, settled } from './testing/tickets.ts';

let dying: Dying | undefined;
afterEach(() => dying?.kill());

test.each(['the model is asked', 'the answer is known', 'the answer is stored'])(
  'killed when %s, a worker is followed by another one, and each ticket is answered once',
  async (step) => {
    dying = await startDying(step);
    const place = await form(AiReply.AUTO);
    // More than one worker takes at a time, so that the one that dies has some of them.
    const threads = await Promise.all(Array.from({ length: 12 }, () => opened(place)));
    expect(await dying.reached()).toBe('reached');
    await dying.kill();
    for (const thread of threads)
      expect(await settled(place, thread)).toEqual({
        ai: AiState.ANSWERED,
        said: [QUESTION, expect.stringContaining('nine in the morning')],
      });
  },
);
