import type { Log } from '@parley/runtime';
import { failure } from './envelope.ts';
import { failureOf } from './failure.ts';
import type { Middleware } from './state.ts';

/** nginx's status for "the client hung up"; only logs and metrics see it. */
const HUNG_UP = 499;

/** Turns whatever the inner middleware throws into a response in the envelope. */
export const errors = ({ log }: { log: Log }): Middleware =>
  async function errors(ctx, next) {
    try {
      await next();
    } catch (error) {
      if (ctx.req.socket.destroyed) {
        ctx.status = ctx.state.failed = HUNG_UP;
        return;
      }
      const { status, message, headers, fault } = failureOf(error);
      const cause = error instanceof Error ? error.cause : undefined;
      const request = { request_id: ctx.state.requestId, account: ctx.state.identity?.account.id };
      if (fault) log.error({ err: error, ...request }, 'request failed');
      else if (status >= 500 && cause) log.warn({ err: cause, ...request }, message);
      ctx.status = ctx.state.failed = status;
      ctx.set(headers);
      ctx.body = failure(message);
    }
  };
