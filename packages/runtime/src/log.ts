import { MongoServerError } from 'mongodb';
import { type DestinationStream, type Logger, pino } from 'pino';
import { textLines } from './log-text.ts';
import { traceFields } from './telemetry/tracing.ts';

export type Log = Logger;

/** JSON for machines, text for a person at a terminal. */
export type LogFormat = 'json' | 'text';

/**
 * Logs to standard error, so that standard output stays free for programs. A line has the service and, within a call, the
 * request id and the account, and the trace if there is one; never a body, a key or a header.
 */
export function createLog(
  service: string,
  level = 'info',
  format: LogFormat = 'json',
  destination: DestinationStream = destinationOf(format),
): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describe },
      mixin: traceFields,
    },
    destination,
  );
}

const destinationOf = (format: LogFormat): DestinationStream =>
  format === 'text' ? TERMINAL : pino.destination({ fd: 2, sync: true });

/** Shared by all services of a process, so that the same line appears once. */
const TERMINAL = textLines((text) => process.stderr.write(text));

/**
 * Logs an error's type, message, stack and causes, but none of the fields that libraries add, which may have data of
 * users.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  // A server's message quotes the values that it refused; its code is enough.
  if (error instanceof MongoServerError) return { type: error.name, code: error.code, name: error.codeName, ...cause };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}
