import { ConnectError } from '@connectrpc/connect';
import { AppError, type ErrorCode } from '../errors.ts';

/** gRPC's status codes, each at the place of its number. */
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
 * Trailer of every error that a Parley server answered with: its message is public. An error without it was made up by
 * gRPC on the way (no connection, no such name), and its message names what the caller must not see.
 */
export const answeredHeader = 'parley-answered';

export const somethingWentWrong = 'Something went wrong on our side.';

/** What a caller is told of an error: its message is public. */
export interface PublicError {
  code: StatusName;
  message: string;
  /** It was tried again already: by the client of the service that is away, or by the handler's own patience. */
  retried?: true;
  /** Not an answer but a fault: to be logged with its stack. */
  fault?: true;
}

/** The codes that mean the same to the caller of a service whose own call to another got them. */
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

/** gRPC's name of how a call failed; 'unknown' for what is neither an AppError nor the answer of a call. */
export function codeOf(error: unknown): StatusName {
  if (error instanceof AppError) return error.code;
  return error instanceof ConnectError ? statusName(error.code) : 'unknown';
}

/** AppErrors speak for themselves, and so do other services' refusals; everything else says nothing of its cause. */
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
