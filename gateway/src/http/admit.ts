import { notFound } from '@parley/runtime';
import { HttpError } from './http-error.ts';
import type { Middleware } from './state.ts';

/** Ends requests that have no route: 404 for an unknown path, 405 for an unknown method; and answers OPTIONS. */
export const admit = (): Middleware =>
  async function admit(ctx, next) {
    const { route, allow } = ctx.state.found;
    if (route) return next();
    if (allow.length === 0) throw notFound('There is no such path in this API.');
    if (ctx.method !== 'OPTIONS')
      throw new HttpError(405, `${ctx.method} is not allowed here. Allowed: ${allow.join(', ')}.`, {
        Allow: allow.join(', '),
      });
    ctx.set('Allow', allow.join(', '));
    ctx.status = 204;
  };
