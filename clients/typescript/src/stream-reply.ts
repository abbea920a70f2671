import { backoffMs, pause } from './attempts.ts';
import { ParleyError } from './error.ts';
import type { Reply, ReplyEvent, Source } from './generated/api.ts';

/** A reply while it is written. */
export interface ReplySoFar {
  /** All text so far, with its marks, without the list of sources. */
  text: string;
  /** The sources that the text cites. */
  sources: Source[];
  /** The whole reply; set at the end. */
  reply?: Reply;
}

export interface StreamOptions {
  /** Requests the stream, each time with the same Idempotency-Key. */
  open(): Promise<Response>;
  /** How often a stream that broke off or failed is requested again. */
  retries: number;
  /** How long to wait for the next event or comment. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Follows a reply to its end. After an interruption the text may begin anew, if the first attempt at an answer failed. */
export async function* streamReply(options: StreamOptions): AsyncGenerator<ReplySoFar, void, undefined> {
  for (let attempt = 0; ; attempt++) {
    const response = await options.open();
    try {
      return yield* soFar(response, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (attempt >= options.retries) throw error;
    }
    await pause(backoffMs(attempt), options.signal);
  }
}

async function* soFar(response: Response, options: StreamOptions): AsyncGenerator<ReplySoFar, void, undefined> {
  let [text, sources]: [string, Source[]] = ['', []];
  const failed = (message: string) =>
    new ParleyError(message, { status: 0, requestId: response.headers.get('x-request-id') ?? undefined });
  for await (const { event, data } of eventsOf(response, options)) {
    if (event === 'sources') sources = data;
    if (event === 'token') {
      text += data.text;
      yield { text, sources };
    }
    if (event === 'error') throw failed(data.message);
    if (event === 'done') return yield { text, sources: data.sources, reply: data };
  }
  throw failed('The stream of the reply broke off.');
}

/** The events as they arrive, until the stream ends, however it does. */
async function* eventsOf(response: Response, { timeoutMs, signal }: StreamOptions): AsyncGenerator<ReplyEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const end = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', end, { once: true });
  let unread = '';
  try {
    for (;;) {
      const timer = setTimeout(end, timeoutMs);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const blocks = (unread + value).split('\n\n');
      unread = blocks.pop()!;
      yield* blocks.flatMap(eventIn);
    }
  } catch (error) {
    // A connection that is lost.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** Comments are no events. */
function eventIn(block: string): ReplyEvent[] {
  const found = /^event: (.*)\ndata: (.*)$/.exec(block);
  return found ? [{ event: found[1], data: JSON.parse(found[2]!) } as ReplyEvent] : [];
}
