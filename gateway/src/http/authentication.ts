import { codeOf, unauthenticated } from '@parley/runtime';
import type { KeyCache } from './key-cache.ts';
import type { Middleware } from './state.ts';

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

/** Lets nobody pass without a valid API key: `Authorization: Bearer <API_KEY>`. */
export const authentication = (keys: KeyCache): Middleware =>
  async function authentication(ctx, next) {
    const key = BEARER.exec(ctx.get('authorization'))?.[1];
    if (key === undefined) throw unauthenticated('Send an API key in the header Authorization: Bearer <API_KEY>.');
    ctx.state.identity = await keys.identify(key, ctx.state.requestId).catch(throwRefusal);
    await next();
  };

function throwRefusal(error: unknown): never {
  // A service's "unauthenticated" is a fault of ours, except for this answer, which is about the caller.
  if (codeOf(error) === 'unauthenticated') throw unauthenticated('This API key is not valid.', error);
  throw error;
}
