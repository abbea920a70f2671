import { publicError, type StatusName } from '@parley/runtime/rpc';
import { HttpError } from './http-error.ts';

/** Maps gRPC codes to HTTP statuses. Any other code is 500. */
const STATUS: Partial<Record<StatusName, number>> = {
  invalid_argument: 400,
  failed_precondition: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  aborted: 409,
  resource_exhausted: 429,
  unimplemented: 501,
  unavailable: 503,
  deadline_exceeded: 503,
};

const HEADERS: Record<number, Record<string, string>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  429: { 'Retry-After': '1' },
  503: { 'Retry-After': '2' },
};

/** The response to an error. */
export interface Failure {
  status: number;
  message: string;
  headers: Record<string, string>;
  /** A bug on our side, to be logged with its stack. */
  fault: boolean;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof HttpError)
    return { status: error.status, message: error.message, headers: error.headers, fault: false };
  const { code, message, fault } = publicError(error);
  const status = STATUS[code] ?? 500;
  return { status, message, headers: HEADERS[status] ?? {}, fault: fault ?? false };
}
