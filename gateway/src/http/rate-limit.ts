import type { Limits } from '../config.ts';
import { HttpError } from './http-error.ts';
import type { Identity } from './key-cache.ts';
import { type QuotaPolicy, type RateLimiter, WINDOW_SECONDS } from './rate-limiter.ts';
import type { Middleware } from './state.ts';

interface Rule {
  policy: QuotaPolicy;
  subjectOf(identity: Identity): string;
  /** For the refusal, before the number of requests. */
  says: string;
}

/**
 * Enforces the rate limits of a key and of its account, and reports what is left of them (draft-ietf-httpapi-ratelimit-headers).
 */
export function rateLimit(
  limiter: RateLimiter,
  limits: Pick<Limits, 'requestsPerMinute' | 'accountRequestsPerMinute'>,
): Middleware {
  const all: Rule[] = [
    {
      policy: { name: 'default', limit: limits.requestsPerMinute },
      subjectOf: ({ key }) => key.id,
      says: 'This API key may send',
    },
    {
      policy: { name: 'account', limit: limits.accountRequestsPerMinute },
      subjectOf: ({ account }) => account.id,
      says: 'All API keys of this account together may send',
    },
  ];
  const rules = all.filter(({ policy }) => policy.limit > 0);
  const policies = rules.map(({ policy }) => `"${policy.name}";q=${policy.limit};w=${WINDOW_SECONDS}`).join(', ');

  return async function rateLimit(ctx, next) {
    const { identity } = ctx.state;
    if (!identity || rules.length === 0) return next();
    const subjects = rules.map(({ policy, subjectOf }) => ({ policy, id: subjectOf(identity) }));
    const { exceeded, remaining, resetSeconds } = await limiter.take(subjects);
    ctx.set('RateLimit-Policy', policies);
    ctx.set(
      'RateLimit',
      rules.map(({ policy }, i) => `"${policy.name}";r=${remaining[i]};t=${resetSeconds[i]}`).join(', '),
    );
    if (exceeded) {
      const { policy, resetSeconds } = exceeded;
      const { says } = rules.find((rule) => rule.policy === policy)!;
      throw new HttpError(429, `${says} ${policy.limit} requests a minute. Try again in ${resetSeconds} s.`, {
        'Retry-After': String(resetSeconds),
      });
    }
    await next();
  };
}
