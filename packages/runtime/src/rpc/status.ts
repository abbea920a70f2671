import { ConnectError } from '@connectrpc/connect';
import { AppError, type ErrorCode } from '../errors.ts';

/** gRPC's status codes; the index is the number. */
const names = [
  'ok',
  'canceled',
  'unknown',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const;

export type StatusName = (typeof names)[number];

export const statusName = (code: number): StatusName => names[code] ?? 'unknown';
export const statusNumber = (name: StatusName): number => names.indexOf(name);

/**
 * Trailer of every error that comes from a Parley server: its message is public. Errors without it come from the gRPC
 * library (no connection, no such name), and their messages may have addresses that callers must not see.
 */
export const answeredHeader = 'parley-answered';

export const somethingWentWrong = 'Something went wrong on our side.';

/** An error as the caller sees it. */
export interface PublicError {
  code: StatusName;
  message: string;
  /** Already retried, by the client of the unavailable service or by the handler. */
  retried?: true;
  /** An internal error: logged with its stack. */
  fault?: true;
}

/** Codes of another service's errors that a handler may pass on to its own caller. */
const passedOn: ReadonlySet<StatusName> = new Set<ErrorCode>([
  'invalid_argument',
  'permission_denied',
  'not_found',
  'already_exists',
  'aborted',
  'failed_precondition',
  'resource_exhausted',
  'deadline_exceeded',
  'unavailable',
]);

/** The status name of an error; 'unknown' if it is neither an AppError nor a ConnectError. */
export function codeOf(error: unknown): StatusName {
  if (error instanceof AppError) return error.code;
  return error instanceof ConnectError ? statusName(error.code) : 'unknown';
}

/** Messages of AppErrors and of other services' refusals are public. All other errors hide their cause. */
export function publicError(error: unknown): PublicError {
  if (error instanceof AppError) {
    const { code, message, retried } = error;
    return { code, message, ...(retried && { retried }), ...(code === 'internal' && { fault: true }) };
  }
  if (error instanceof ConnectError && passedOn.has(statusName(error.code))) {
    return { code: statusName(error.code), message: error.rawMessage, retried: true };
  }
  return { code: 'internal', message: somethingWentWrong, fault: true };
}
