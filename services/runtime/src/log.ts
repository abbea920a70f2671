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
    },
    destination,
  );
}
