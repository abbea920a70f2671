/** The catalogue of errors, with gRPC's names. The gateway's `http/failure.ts` maps them to HTTP. */
export type ErrorCode =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'already_exists'
  | 'aborted'
  | 'failed_precondition'
  | 'resource_exhausted'
  | 'deadline_exceeded'
  | 'unavailable'
  | 'unimplemented'
  | 'internal';

/**
 * An error that a caller may see. `message` is public: a sentence that names the field, scope or resource, but never a
 * secret, a stack or an internal name. The internal cause goes into `cause`, which only logs show.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Already retried or waited for; clients must not retry automatically. */
  readonly retried: boolean;

  constructor(code: ErrorCode, message: string, cause?: unknown, retried = false) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.retried = retried;
  }
}

const as =
  (code: ErrorCode) =>
  (message: string, cause?: unknown): AppError =>
    new AppError(code, message, cause);

export const invalidArgument = as('invalid_argument');
export const unauthenticated = as('unauthenticated');
export const permissionDenied = as('permission_denied');
export const notFound = as('not_found');
export const alreadyExists = as('already_exists');
export const aborted = as('aborted');
export const failedPrecondition = as('failed_precondition');
export const resourceExhausted = as('resource_exhausted');
export const unavailable = as('unavailable');
/** UNAVAILABLE, already retried here; clients must not retry automatically. */
export const unavailableDoNotRetry = (message: string, cause?: unknown): AppError =>
  new AppError('unavailable', message, cause, true);

export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);
