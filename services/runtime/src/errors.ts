/** The catalogue of errors. Their names are gRPC's; `http/status.ts` of the gateway has the one table to HTTP. */
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
 * An error that a caller may see. `message` is public: a sentence that names the field, scope or resource, and never a
 * secret, a stack or an internal name. What really happened goes into `cause`, which only logs show.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** UNAVAILABLE for what was waited for, or tried again, already: no client's transport asks again by itself. */
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
/** UNAVAILABLE after patience enough: clients' transports do not ask again by themselves. */
export const stillUnavailable = (message: string, cause?: unknown): AppError =>
  new AppError('unavailable', message, cause, true);

export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);
