import { MongoError, MongoInvalidArgumentError, MongoParseError, MongoServerError } from 'mongodb';
import { type AppError, unavailable } from '../errors.ts';

/** A unique index refused the write: the document is there already. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === 11000;

/** The name of the unique index that refused the write. */
export const duplicateIndex = (error: unknown): string | undefined =>
  isDuplicate(error) ? /index: (\S+)/.exec((error as MongoServerError).message)?.[1] : undefined;

/** Errors of a server that is starting, stopping, electing a primary or overloaded. The driver exports no such list. */
const TRANSIENT_CODES = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  276, // IndexBuildAborted
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** The database is unavailable for now: the same operation may succeed later. False if the operation is at fault. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerError)
    return TRANSIENT_CODES.has(Number(error.code)) || error.hasErrorLabel('RetryableError');
  if (error instanceof MongoInvalidArgumentError || error instanceof MongoParseError) return false;
  return error instanceof MongoError;
}

/** The error that callers see while the database is unavailable. Undefined for all others, which are internal. */
export const translateMongoError = (error: unknown): AppError | undefined =>
  isDatabaseUnavailable(error) ? unavailable('The database is unavailable. Try again.', error) : undefined;
