import { unavailable } from '@parley/runtime';

/** A refusal specific to HTTP; all others are AppErrors. `message` is public. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Refusals of what an account, or all together, have too many of in progress. */
export const tooManyInProgress = (what: string) => ({
  account: (most: number): Error =>
    new HttpError(429, `This account has ${most} ${what} in progress. Try again in a moment.`, { 'Retry-After': '5' }),
  all: (): Error => unavailable(`Too many ${what} are in progress. Try again in a moment.`),
});
