import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidArgument, type Log, type RootSecret } from '@parley/runtime';
import { keepLease } from '@parley/runtime/mongo';
import { deriveId, deriveKey, randomId } from '@parley/runtime/rpc';
import type { IdempotencyStore, KeptRequest, StoredResponse } from '../store/idempotency-store.ts';
import { failure } from './envelope.ts';
import { failureOf } from './failure.ts';
import { HttpError } from './http-error.ts';
import { canonical } from './json.ts';
import type { Context, Middleware } from './state.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const SCHEME = /^bearer +/i;
/** The length of 128 random bits in base64url. */
const UNGUESSABLE = 22;
const LEASE_MS = 10_000;
/** A little longer than the lease, so that a retry can take over the request of a gateway that died. */
const WAIT_MS = 12_000;
/** How long a retry waits before it looks again: longer each time. */
const FIRST_POLL_MS = 100;
const LONGEST_POLL_MS = 1_000;
const POLL_FACTOR = 1.5;

/** Refusals that a retry of the same request may not get. */
const NOT_KEPT: ReadonlySet<number> = new Set([401, 408, 409, 413, 415, 429]);

/**
 * Assigns the operation id, and runs a POST with an `Idempotency-Key` once: for 24 hours a retry gets the same response. A
 * retry waits for a request in progress; if the gateway of that request died, the retry takes over, and the operation id
 * keeps effects from happening twice. A response that shows a secret belongs to the API key that made the request: from any
 * other key of the account it counts as a different request.
 */
export function idempotency(options: { answers: IdempotencyStore; secret: RootSecret; log: Log }): Middleware {
  const { answers, log } = options;
  const operationKey = deriveKey(options.secret, 'operation');
  // Includes the request: a key reused after 24 hours for something else is a different operation.
  const operationOf = (...parts: string[]) =>
    deriveId(createHmac('sha256', operationKey).update(canonical(parts)).digest('hex'));

  return async function idempotency(ctx, next) {
    const given = ctx.req.headers['idempotency-key'];
    const scope = scopeOf(ctx);
    if (ctx.method !== 'POST' || given === undefined || !scope) {
      ctx.state.operation = randomId();
      return next();
    }
    const key = String(given);
    if (!PRINTABLE.test(key)) throw invalidArgument('Idempotency-Key must be 1 to 255 printable ASCII characters.');
    const [account] = scope;
    if (scope.length > 1 && !ctx.state.visitor && key.length < UNGUESSABLE)
      throw invalidArgument(
        `Idempotency-Key must be random here, of at least ${UNGUESSABLE} characters, such as a UUID.`,
      );
    const sealedWith = ctx.state.found.route?.showsSecret && ctx.get('authorization').replace(SCHEME, '');
    const id = deriveId(...scope, key);
    const hash = hashOf(ctx);
    const operation = operationOf(...scope, key, hash);
    ctx.state.operation = operation;
    const request = { id, account, operation, hash, owner: randomId(), ttlMs: LEASE_MS, sealedWith };

    const claim = await claimed(answers, request);
    if (claim.state === 'answered') return replay(ctx, claim.answer);
    ctx.state.operation = claim.operation;
    const renew = () => answers.renew(request.id, request.owner, LEASE_MS);
    const { error, answer } = await keepLease({ ttlMs: LEASE_MS, renew }, () => outcome(ctx, next));
    const finished = await answers.finish(request, isKept(answer) ? answer : undefined).catch((err) => {
      log.warn({ err, request_id: ctx.state.requestId }, 'response not kept for retries');
      return true;
    });
    if (!finished && isKept(answer)) return replay(ctx, await takenOver(answers, request));
    if (error) throw error;
  };
}

/**
 * The owner of a key: an account, a ticket form of it, or a visitor of a chatbot of it. New visitors have nothing but the key to be known by,
 * so whoever repeats it gets their answer, with the token of their conversation. Undefined if there is no such chatbot or form.
 */
function scopeOf({ state }: Context): [account: string, ...visitor: string[]] | undefined {
  const { identity, embedded, embeddedForm, visitor } = state;
  if (identity) return [identity.account.id];
  if (embeddedForm) return [embeddedForm.account, 'form', embeddedForm.form.id, embeddedForm.ticket?.id ?? ''];
  return embedded && [embedded.account, 'visitor', embedded.chatbot.id, visitor?.id ?? ''];
}

/** Waits until the request is ours or has a response. Throws 409 if neither happens in time. */
async function claimed(answers: IdempotencyStore, request: KeptRequest) {
  const giveUp = performance.now() + WAIT_MS;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(LONGEST_POLL_MS, pollMs * POLL_FACTOR)) {
    const claim = await answers.claim(request);
    if (claim.state === 'ours' || claim.state === 'answered') return claim;
    if (claim.state === 'different')
      throw new HttpError(409, 'This Idempotency-Key was used for another request. Use a new one.');
    if (performance.now() >= giveUp) throw underWay();
    await sleep(pollMs);
  }
}

const underWay = () =>
  new HttpError(409, 'A request with this Idempotency-Key is still under way. Try again in a moment.', {
    'Retry-After': '5',
  });

/**
 * The response of the retry that took a request over from this process, which was suspended for longer than the lease. Our
 * own is out of date if it shows a secret: only the latest one works.
 */
async function takenOver(answers: IdempotencyStore, request: KeptRequest): Promise<StoredResponse> {
  const claim = await claimed(answers, request);
  if (claim.state === 'answered') return claim.answer;
  // The retry failed. Another one finds out what its operation did.
  await answers.finish(request);
  throw underWay();
}

/** Runs the remaining middleware and returns the response that it will lead to. */
async function outcome(
  ctx: Context,
  next: () => Promise<unknown>,
): Promise<{ error?: unknown; answer: StoredResponse }> {
  try {
    await next();
    return { answer: { status: ctx.status, body: JSON.stringify(ctx.body) } };
  } catch (error) {
    const { status, message } = failureOf(error);
    return { error, answer: { status, body: JSON.stringify(failure(message)) } };
  }
}

const isKept = ({ status }: StoredResponse): boolean => status < 500 && !NOT_KEPT.has(status);

function replay(ctx: Context, { status, body }: StoredResponse): void {
  ctx.set('Idempotent-Replayed', 'true');
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** Requests are the same if method, path and parsed body are; and the API key, if the response shows a secret. */
function hashOf({ method, path, state }: Context): string {
  const asker = state.found.route?.showsSecret ? [state.identity!.key.id] : [];
  return createHash('sha256')
    .update(canonical([method, path.replace(/\/$/, ''), state.body ?? null, ...asker]))
    .digest('base64url');
}
