import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { deriveId, deriveKey, invalidArgument, keepLease, type Log, randomId } from '@parley/runtime';
import type { KeptAnswer, KeptAnswers } from '../store/kept-answers.ts';
import { failure } from './envelope.ts';
import { failureOf } from './failure.ts';
import { HttpError } from './http-error.ts';
import { canonical } from './json.ts';
import type { Context, Middleware } from './state.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const LEASE_MS = 10_000;
/** A little longer than the lease: whoever repeats the request of a gateway that died gets to finish it. */
const WAIT_MS = 12_000;
const POLL_MS = 100;

/** Refusals that the same request may escape a moment later. */
const NOT_KEPT: ReadonlySet<number> = new Set([401, 408, 409, 413, 415, 429]);

/**
 * Names the operation, and answers a POST that carries an `Idempotency-Key` once: a repetition gets the same answer for
 * 24 hours. While a request is under way, its repetition waits for it; where its gateway died, it takes over, and the
 * operation id makes an effect that was had already harmless.
 */
export function idempotency(options: { answers: KeptAnswers; secret: string; log: Log }): Middleware {
  const { answers, log } = options;
  const operationKey = deriveKey(options.secret, 'operation');
  // The request is part of it: a key used again after 24 hours, for something else, is another operation.
  const operationOf = (account: string, key: string, request: string) =>
    deriveId(
      createHmac('sha256', operationKey)
        .update(canonical([account, key, request]))
        .digest('hex'),
    );

  return async function idempotency(ctx, next) {
    const given = ctx.req.headers['idempotency-key'];
    if (ctx.method !== 'POST' || given === undefined) {
      ctx.state.operation = randomId();
      return next();
    }
    const key = String(given);
    if (!PRINTABLE.test(key)) throw invalidArgument('Idempotency-Key must be 1 to 255 printable ASCII characters.');
    const account = ctx.state.identity!.account.id;
    const request = { id: deriveId(account, key), hash: hashOf(ctx), owner: randomId(), ttlMs: LEASE_MS };
    ctx.state.operation = operationOf(account, key, request.hash);

    const kept = await claimed(answers, request);
    if (kept) return replay(ctx, kept);
    const renew = () => answers.renew(request.id, request.owner, LEASE_MS);
    const { error, answer } = await keepLease({ ttlMs: LEASE_MS, renew }, () => outcome(ctx, next));
    await answers.finish(request.id, request.owner, isKept(answer) ? answer : undefined).catch((err) => {
      log.warn({ err, request_id: ctx.state.requestId }, 'an answer was not kept');
    });
    if (error) throw error;
  };
}

/** Waits until the request is ours (undefined), or has an answer. Throws 409 where neither comes. */
async function claimed(answers: KeptAnswers, request: Parameters<KeptAnswers['claim']>[0]) {
  const giveUp = performance.now() + WAIT_MS;
  for (;;) {
    const claim = await answers.claim(request);
    if (claim.state === 'ours') return undefined;
    if (claim.state === 'answered') return claim.answer;
    if (claim.state === 'different')
      throw new HttpError(409, 'This Idempotency-Key was used for another request. Use a new one.');
    if (performance.now() >= giveUp)
      throw new HttpError(409, 'A request with this Idempotency-Key is still under way. Try again in a moment.', {
        'Retry-After': '5',
      });
    await sleep(POLL_MS);
  }
}

/** Runs the rest of the way and says how it will be answered. */
async function outcome(ctx: Context, next: () => Promise<unknown>): Promise<{ error?: unknown; answer: KeptAnswer }> {
  try {
    await next();
    return { answer: { status: ctx.status, body: JSON.stringify(ctx.body) } };
  } catch (error) {
    const { status, message } = failureOf(error);
    return { error, answer: { status, body: JSON.stringify(failure(message)) } };
  }
}

const isKept = ({ status }: KeptAnswer): boolean => status < 500 && !NOT_KEPT.has(status);

function replay(ctx: Context, { status, body }: KeptAnswer): void {
  ctx.set('Idempotent-Replayed', 'true');
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** "The same request" is method, path and parsed body. */
const hashOf = ({ method, path, state }: Context): string =>
  createHash('sha256')
    .update(canonical([method, path.replace(/\/$/, ''), state.body ?? null]))
    .digest('base64url');
