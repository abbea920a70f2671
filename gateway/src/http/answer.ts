import { contextSigner, type Log, monotonicNow, newCall } from '@parley/runtime';
import type { Limits } from '../config.ts';
import { bindServices, type Services } from '../services.ts';
import { createCursors } from './cursor.ts';
import { success } from './envelope.ts';
import type { Context, Middleware } from './state.ts';
import { validate } from './validate.ts';

/** The end of the way: validates the request, has its route call the services, and wraps what they gave. */
export function answer(options: { services: Services; secret: string; limits: Limits; log: Log }): Middleware {
  const { services, limits, log } = options;
  const { sign } = contextSigner(options.secret);
  const cursors = createCursors(options.secret);

  return async function answer(ctx) {
    const { found, identity, requestId, operation } = ctx.state;
    const route = found.route!;
    const input = {
      params: validate(route.params, found.params),
      query: validate(route.query, ctx.query),
      body: route.body ? validate(route.body, ctx.state.body ?? {}) : undefined,
    };
    const { account, key } = identity!;
    const call = newCall(
      { account: account.id, keyId: key.id, scopes: key.scopes, requestId, operation },
      { sign, log, deadline: monotonicNow() + limits[route.timeout], signal: hangUp(ctx) },
    );
    const data = await route.call(input, { ...bindServices(services, call), identity: identity!, cursors });
    ctx.body = success(route.response && data);
  };
}

/** Aborts when the client goes away before it has its answer. */
function hangUp({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
