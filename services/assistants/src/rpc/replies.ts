import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AssistantsService, StreamReplyResponseSchema } from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { Rpc, RpcStream } from '@parley/runtime/rpc';
import { withoutSources } from '../domain/cite.ts';
import { type Replying, replyTo } from './reply.ts';

type Event = NonNullable<MessageInitShape<typeof StreamReplyResponseSchema>['event']>;

/** Answers a message. Idempotent. */
export const reply =
  (dependencies: Replying): Rpc<typeof AssistantsService.method.reply> =>
  (request, call) =>
    replyTo(dependencies, request, call);

/** Answers a message as `reply` does, and passes on each part of the answer as soon as it is known. */
export const streamReply = (dependencies: Replying): RpcStream<typeof AssistantsService.method.streamReply> =>
  async function* ({ reply: request }, call) {
    if (!request) throw invalidArgument('reply is missing.');
    const events = createQueue<Event>(call.signal);
    let isStreamed = false;
    const done = replyTo(dependencies, request, call, {
      text(part) {
        isStreamed = true;
        events.push({ case: 'text', value: part });
      },
      sources: (sources) => events.push({ case: 'sources', value: { sources: [...sources] } }),
    });
    done.then(events.end, events.end);
    for await (const event of events) yield { event };
    // What was stored before, or is a quote, comes as a whole.
    const { message = '', sources = [], ...reply } = await done;
    if (!isStreamed && sources.length > 0) yield { event: { case: 'sources', value: { sources } } };
    if (!isStreamed) yield { event: { case: 'text', value: withoutSources(message) } };
    yield { event: { case: 'done', value: { message, sources, ...reply } } };
  };

/** Holds what is pushed until it is read. Ends early if the signal aborts. */
function createQueue<T>(signal: AbortSignal) {
  const waiting: T[] = [];
  let isEnded = false;
  let wake = () => {};
  const end = () => {
    isEnded = true;
    wake();
  };
  return {
    push(item: T) {
      waiting.push(item);
      wake();
    },
    end,
    async *[Symbol.asyncIterator]() {
      signal.addEventListener('abort', end, { once: true });
      try {
        while (waiting.length > 0 || !isEnded) {
          if (waiting.length > 0) yield waiting.shift()!;
          else await new Promise<void>((resolve) => (wake = resolve));
          signal.throwIfAborted();
        }
      } finally {
        signal.removeEventListener('abort', end);
      }
    },
  };
}
