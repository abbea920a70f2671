import type { ServerResponse } from 'node:http';
import { eventText, type StreamEvent } from '../streaming.ts';
import type { Envelope } from './envelope.ts';
import { limitPauses } from './limit-pauses.ts';
import type { Context, Middleware } from './state.ts';

interface EventLimits {
  /** How often a comment tells the client, and proxies on the way, that the stream is alive. */
  heartbeatMs: number;
  /** How long a client may pause in reading. */
  pauseMs: number;
}

const [JSON_TYPE, EVENTS_TYPE, UTF_8] = ['application/json', 'text/event-stream', '; charset=utf-8'];
/** JSON first: it is the default where a client has no preference. */
const OFFERED = [JSON_TYPE, JSON_TYPE + UTF_8, EVENTS_TYPE, EVENTS_TYPE + UTF_8];

/**
 * Answers with a stream of Server-Sent Events where the route can and the client prefers that. The other middleware goes on
 * as for JSON: the envelope that it leaves becomes the last event, so a failure, a stored response and one that another
 * gateway stored meanwhile need nothing of their own. What fails before the first event is answered as JSON.
 */
export const events = (limits: EventLimits): Middleware =>
  async function events(ctx, next) {
    const { stream } = ctx.state.found.route ?? {};
    if (!stream) return next();
    ctx.vary('Accept');
    if (!String(ctx.accepts(OFFERED)).startsWith(EVENTS_TYPE)) return next();
    using sender = createSender(ctx, limits);
    ctx.state.events = sender;
    await next();
    const answer = envelopeOf(ctx);
    if (!answer || (!answer.success && !sender.begun())) return;
    const before = answer.success && !sender.begun() ? stream.whole(answer.data) : [];
    await sender.finish([...before, lastEvent(answer)]);
  };

const lastEvent = (answer: Envelope): StreamEvent =>
  answer.success ? { event: 'done', data: answer.data } : { event: 'error', data: { message: answer.message } };

/** Undefined if the client hung up. A stored response is text. */
const envelopeOf = ({ body }: Context): Envelope | undefined =>
  typeof body === 'string' ? JSON.parse(body) : (body as Envelope | undefined);

function createSender(ctx: Context, { heartbeatMs, pauseMs }: EventLimits) {
  const { res } = ctx;
  let heartbeat: NodeJS.Timeout | undefined;

  function begin() {
    ctx.respond = false;
    ctx.status = 200;
    ctx.type = EVENTS_TYPE;
    ctx.remove('Content-Length');
    // nginx would collect events otherwise.
    ctx.set('X-Accel-Buffering', 'no');
    const hasUnread = () => res.writableLength > 0;
    limitPauses(res, pauseMs, hasUnread);
    heartbeat = setInterval(() => res.destroyed || hasUnread() || res.write(':\n\n'), heartbeatMs);
  }

  async function send(event: StreamEvent) {
    if (!heartbeat) begin();
    if (res.destroyed) throw new Error('The client is gone.');
    if (!res.write(eventText(event))) await drained(res);
  }

  return {
    send,
    begun: () => heartbeat !== undefined,
    async finish(events: StreamEvent[]) {
      for (const event of events) if (!res.destroyed) await send(event);
      res.end();
    },
    [Symbol.dispose]: () => clearInterval(heartbeat),
  };
}

/** Resolves when everything that was written is on its way, or nothing can be written any more. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
