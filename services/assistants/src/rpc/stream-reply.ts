import type { AssistantsService } from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { RpcStream } from '@parley/runtime/rpc';
import { reply } from './reply.ts';

/** Answers a message as `reply` does, with the answer as a whole. */
export const streamReply = (
  parts: Parameters<typeof reply>[0],
): RpcStream<typeof AssistantsService.method.streamReply> => {
  const answer = reply(parts);
  return async function* (request, call) {
    if (!request.reply) throw invalidArgument('reply is missing.');
    const done = await answer(request.reply, call);
    const { message = '', sources = [] } = done;
    if (sources.length > 0) yield { event: { case: 'sources', value: { sources } } };
    const text = message.split('\n').slice(0, sources.length > 0 ? -(sources.length + 2) : undefined);
    yield { event: { case: 'text', value: text.join('\n') } };
    yield { event: { case: 'done', value: done } };
  };
};
