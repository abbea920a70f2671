import { permissionDenied } from '@parley/runtime';
import type { Middleware } from './state.ts';

/** Lets only keys pass that hold the route's scope, where it needs one. */
export const scope = (): Middleware =>
  async function scope(ctx, next) {
    const needed = ctx.state.found.route?.scope;
    if (needed && !ctx.state.identity?.key.scopes.includes(needed))
      throw permissionDenied(`This API key lacks the scope ${needed}.`);
    await next();
  };
