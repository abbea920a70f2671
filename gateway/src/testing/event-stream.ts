import type { StreamEvent } from '../streaming.ts';

/** A stream of Server-Sent Events, as far as it has been read. */
export interface EventReader {
  /** The next event; undefined at the end. */
  next(): Promise<StreamEvent | undefined>;
  /** All remaining events. */
  rest(): Promise<StreamEvent[]>;
  /** How many comments were skipped. */
  comments(): number;
}

/** Reads the events of a response as they arrive. */
export function eventReader(response: Response): EventReader {
  let chunks: AsyncIterator<string> | undefined;
  let unread = '';
  let comments = 0;

  /** Returns the text before the next blank line. */
  async function block(): Promise<string | undefined> {
    for (let end = unread.indexOf('\n\n'); ; end = unread.indexOf('\n\n')) {
      if (end >= 0) {
        const text = unread.slice(0, end);
        unread = unread.slice(end + 2);
        return text;
      }
      chunks ??= response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      const { value, done } = await chunks.next();
      if (done) return undefined;
      unread += value;
    }
  }

  async function next(): Promise<StreamEvent | undefined> {
    const text = await block();
    if (text === undefined) return undefined;
    const found = /^(?:id: (\w+)\n)?event: (\w+)\ndata: (.*)$/.exec(text);
    if (found) return { event: found[2]!, data: JSON.parse(found[3]!), ...(found[1] && { id: found[1] }) };
    if (!text.startsWith(':')) throw new Error(`neither an event nor a comment: ${text}`);
    comments += 1;
    return next();
  }

  return {
    next,
    async rest() {
      const events: StreamEvent[] = [];
      for (let event = await next(); event; event = await next()) events.push(event);
      return events;
    },
    comments: () => comments,
  };
}
