import { randomId } from '@parley/runtime';
import type { Middleware } from './state.ts';

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** Names the request, in its answer and in all logs: as the caller does in `X-Request-Id`, where that is a plain word. */
export const requestId = (): Middleware =>
  async function requestId(ctx, next) {
    const given = ctx.get('x-request-id');
    ctx.state.requestId = ACCEPTED.test(given) ? given : randomId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  };
