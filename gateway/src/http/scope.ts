import { permissionDenied } from '@parley/runtime';
import { lacking } from '../scopes.ts';
import type { Middleware } from './state.ts';

/** Refuses keys that lack the scope of the route, if it requires one of them. */
export const scope = (): Middleware =>
  async function scope(ctx, next) {
    const { identity, found } = ctx.state;
    const lacks = identity && found.route && lacking(found.route, identity.key);
    if (lacks) throw permissionDenied(`This API key lacks the scope ${lacks.join(' or ')}.`);
    await next();
  };
