import { HttpError } from './http-error.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Middleware } from './state.ts';

/** Enforces the rate limit of a key and reports what is left (draft-ietf-httpapi-ratelimit-headers). */
export const rateLimit = (limiter: RateLimiter): Middleware =>
  async function rateLimit(ctx, next) {
    const { identity } = ctx.state;
    if (!identity) return next();
    const { allowed, limit, windowSeconds, remaining, resetSeconds } = await limiter.take(identity.key.id);
    if (limit > 0) {
      ctx.set('RateLimit-Policy', `"default";q=${limit};w=${windowSeconds}`);
      ctx.set('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
    }
    if (!allowed)
      throw new HttpError(429, `This API key may send ${limit} requests a minute. Try again in ${resetSeconds} s.`, {
        'Retry-After': String(resetSeconds),
      });
    await next();
  };
