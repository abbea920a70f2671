import { permissionDenied } from '@parley/runtime';
import type { Middleware } from './state.ts';

/** Refuses keys that lack the scope of the route, if it requires one. */
export const scope = (): Middleware =>
  async function scope(ctx, next) {
    const needed = ctx.state.found.route?.scope;
    if (needed && !ctx.state.identity?.key.scopes.includes(needed))
      throw permissionDenied(`This API key lacks the scope ${needed}.`);
    await next();
  };
