import { LRUCache } from 'lru-cache';
import type { DestinationStream } from 'pino';

const QUIET_MS = 60_000;
const MAX_REMEMBERED = 200;
const MAX_CHARACTERS = 400;

/** An error as `createLog` writes it. */
interface LoggedError {
  message?: string;
  cause?: LoggedError | string;
}

/**
 * Turns log lines into single lines of text without stacks, such as `trainer: a round failed: the disk is full`. The
 * same text appears at most once a minute, however many lines say it.
 */
export function textLines(
  write: (text: string) => void,
  now: () => number = () => performance.now(),
): DestinationStream {
  const said = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  return {
    write(line) {
      const {
        service,
        msg = '',
        err,
      } = JSON.parse(line) as { service: string; msg?: string; err?: LoggedError | string };
      const text = [service, msg, ...messagesOf(err)]
        .filter((part) => part !== '')
        .join(': ')
        .replace(/\s+/g, ' ')
        .slice(0, MAX_CHARACTERS);
      if (now() - (said.get(text) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
      said.set(text, now());
      write(`${text}\n`);
    },
  };
}

function messagesOf(error: LoggedError | string | undefined): string[] {
  if (error === undefined) return [];
  if (typeof error === 'string') return [error];
  return [error.message ?? '', ...messagesOf(error.cause)];
}
