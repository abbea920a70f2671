import { MongoError, MongoServerError } from 'mongodb';
import { type AppError, unavailable } from '../errors.ts';

/** A unique index refused the write: what should be made is there already. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === 11000;

/** The name of the unique index that refused the write. */
export const duplicateIndex = (error: unknown): string | undefined =>
  isDuplicate(error) ? /index: (\S+)/.exec((error as MongoServerError).message)?.[1] : undefined;

/** What a caller learns of a database that is away: to try again. Anything else of the driver's is our own fault. */
export function translateMongoError(error: unknown): AppError | undefined {
  const away =
    error instanceof MongoError && !(error instanceof MongoServerError && !error.hasErrorLabel('RetryableError'));
  return away ? unavailable('The database is away for the moment. Try again.', error) : undefined;
}

/** The driver or the server failed; which of them and why is in the log only. */
export const isDatabaseError = (error: unknown): boolean => error instanceof MongoError;
