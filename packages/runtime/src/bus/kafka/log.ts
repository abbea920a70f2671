import { type logCreator, logLevel } from 'kafkajs';
import type { Log } from '../../log.ts';

const QUIET_MS = 10_000;
const MAX_REMEMBERED = 200;

/**
 * Logs kafkajs's warnings and errors as our own lines, the same text at most once in ten seconds, each a level lower:
 * kafkajs retries by itself, and when it gives up, the caller gets an error.
 */
export const kafkaLog =
  (log: Log): logCreator =>
  () => {
    const quiet = new Map<string, { until: number; left: number }>();
    return ({ namespace, level, log: { message, broker, groupId, error } }) => {
      if (level > logLevel.WARN) return;
      const now = performance.now();
      const text = `${namespace}: ${message}`;
      const known = quiet.get(text);
      if (known && now < known.until) {
        known.left += 1;
        return;
      }
      if (quiet.size >= MAX_REMEMBERED) quiet.clear();
      quiet.set(text, { until: now + QUIET_MS, left: 0 });
      const line = { kafka: namespace, broker, groupId, cause: error, repeated: known?.left };
      if (level === logLevel.WARN) log.info(line, message);
      else log.warn(line, message);
    };
  };
