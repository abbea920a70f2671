import { MongoBulkWriteError, MongoError, MongoInvalidArgumentError, MongoParseError, MongoServerError } from 'mongodb';
import { type AppError, unavailable, unavailableDoNotRetry } from '../errors.ts';

/** A unique index refused the write: the document is there already. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === 11000;

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
  // A bulk write wraps what happened to its connection in an error of the server.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error)
    return isDatabaseUnavailable(error.errorResponse);
  if (error instanceof MongoServerError)
    return TRANSIENT_CODES.has(Number(error.code)) || error.hasErrorLabel('RetryableError');
  if (error instanceof MongoInvalidArgumentError || error instanceof MongoParseError) return false;
  return error instanceof MongoError;
}

/** The error of a write if the outbox of its document is full. */
export const OUTBOX_FULL = 'the outbox is full: ';

const isOutboxFull = (error: unknown): boolean =>
  error instanceof MongoServerError && error.message.includes(OUTBOX_FULL);

/**
 * The error that callers see while the database is unavailable, or a document's changes wait for the bus. Undefined for all
 * others, which are internal.
 */
export function translateMongoError(error: unknown): AppError | undefined {
  if (isDatabaseUnavailable(error)) return unavailable('The database is unavailable. Try again.', error);
  if (isOutboxFull(error))
    return unavailableDoNotRetry('Too many changes of this resource wait to be published. Try again later.', error);
  return undefined;
}
