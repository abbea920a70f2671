import { MongoServerError } from 'mongodb';
import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * JSON lines on standard error, so that standard output stays a program's own. A line carries the service, and within a
 * call the request id and the account; never a body, a key or a header.
 */
export function createLog(service: string, level = 'info', destination = pino.destination({ fd: 2, sync: true })): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describe },
    },
    destination,
  );
}

/**
 * What a log says of an error: its kind, words, place and causes, but none of the fields that libraries add, which may
 * hold what a user sent.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  // A server's words quote the values that it refused; its code says enough.
  if (error instanceof MongoServerError) return { type: error.name, code: error.code, name: error.codeName, ...cause };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
