import { randomId } from '@parley/runtime/rpc';
import type { Middleware } from './state.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Assigns the request id for the response and all logs: the caller's `X-Request-Id` if it is well-formed, else a new one. */
export const requestId = (): Middleware =>
  async function requestId(ctx, next) {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = ACCEPTED.test(given) ? given : randomId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
