import type { ReplyResponse, StreamReplyResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import type { StreamEvent } from '../../streaming.ts';
import { type reply, source, sourceJson } from './json.ts';

/** The events of a reply, before the last one. */
export const replyEvents = {
  token: z.object({ text: z.string() }).meta({
    description:
      'The next part of the reply, with its marks; all together are the message without its list of sources.',
  }),
  sources: z.array(source).meta({
    description: 'All sources so far; sent again, whenever there is another one, before the first mark that needs it.',
  }),
};

/** Passes on the service's events as they come, and returns the reply. */
export async function* eventsOf(
  responses: AsyncIterable<StreamReplyResponse>,
): AsyncGenerator<StreamEvent, ReplyResponse> {
  let done: ReplyResponse | undefined;
  for await (const { event } of responses) {
    if (event.case === 'text') yield token(event.value);
    if (event.case === 'sources') yield { event: 'sources', data: event.value.sources.map(sourceJson) };
    // The call goes on until its status, which Connect's clients do not cancel if they leave early.
    if (event.case === 'done') done = event.value;
  }
  if (!done) throw new Error('The stream of a reply ended without the reply.');
  return done;
}

const token = (text: string): StreamEvent => ({
  event: 'token',
  data: { text } satisfies z.input<typeof replyEvents.token>,
});

type WholeReply = Pick<z.output<typeof reply>, 'message' | 'sources'>;

/** The events of a reply that is complete. */
export function eventsOfWhole(whole: WholeReply): StreamEvent[] {
  const { sources } = whole;
  return [...(sources.length > 0 ? [{ event: 'sources', data: sources }] : []), token(withoutList(whole))];
}

/** The message without its closing list of sources: a blank line, a heading, and a line for each. */
function withoutList({ message, sources }: WholeReply): string {
  const lines = message.split('\n');
  const list = lines.slice(lines.length - sources.length);
  const isList = sources.length > 0 && list.every((line, i) => line.startsWith(`[${sources[i]!.n}] `));
  return isList ? lines.slice(0, -(sources.length + 2)).join('\n') : message;
}
