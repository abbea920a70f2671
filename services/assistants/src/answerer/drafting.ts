import { beginSpan, type Metrics, type RetryPolicy, retry } from '@parley/runtime';
import type { AnswerSink } from './answerer.ts';
import type { Chat } from './chat.ts';
import { createDraft, type Draft } from './draft.ts';
import type { Material } from './material.ts';
import { isUnusable, ModelUnavailable } from './model-errors.ts';
import { withoutThoughts } from './thoughts.ts';

const ATTEMPTS = 4;
const LONGEST_PAUSE_MS = 10_000;

interface Work extends Omit<Chat, 'write'> {
  material: Material;
  sink: AnswerSink | undefined;
}

/** Has a model write one answer. Asks again while its server is unavailable, but not once a part was passed on. */
export type Drafting = (work: Work) => Promise<Draft>;

export function createDrafting(
  write: (chat: Chat) => Promise<void>,
  backoffMs: number,
  metrics?: Pick<Metrics, 'step'>,
): Drafting {
  /** True if the server leaves out the tag that opens a thought: nothing is passed on before the closing one. */
  let thinksAloud = false;

  return async ({ material, sink, ...chat }) => {
    let isSent = false;
    const noticing = sink && {
      sources: sink.sources,
      text(part: string) {
        isSent = true;
        sink.text(part);
      },
    };
    const attempt = async () => {
      let draft = createDraft(material, noticing);
      const restart = () => {
        thinksAloud = true;
        if (isSent) throw new ModelUnavailable('The model does not mark where its thoughts begin; now they are held.');
        draft = createDraft(material, noticing);
      };
      const thoughts = withoutThoughts({ write: (text) => draft.push(text), restart }, thinksAloud);
      const began = performance.now();
      let checkedMs = 0;
      const checking = (check: () => void) => {
        const from = performance.now();
        try {
          check();
        } finally {
          checkedMs += performance.now() - from;
        }
      };
      try {
        await write({ ...chat, write: (text) => checking(() => thoughts.push(text)) });
        checking(() => {
          thoughts.end();
          draft.end();
        });
      } catch (error) {
        // What was cut off is left out.
        if (!isUnusable(error) || !draft.answer()) throw error;
      } finally {
        metrics?.step('check', checkedMs / 1_000);
        beginSpan('check', { startedAt: new Date(Date.now() - checkedMs) }).end();
        metrics?.step('model', (performance.now() - began - checkedMs) / 1_000);
      }
      return draft;
    };
    const policy: RetryPolicy = {
      attempts: ATTEMPTS,
      longestPauseMs: LONGEST_PAUSE_MS,
      backoffMs,
      pauseAfter: (error, pauseMs) =>
        error instanceof ModelUnavailable && !isSent ? (error.retryAfterMs ?? pauseMs) : undefined,
    };
    return await retry(attempt, policy, chat.signal);
  };
}
