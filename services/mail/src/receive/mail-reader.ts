import type { ReadMail } from '@parley/reading/mail';
import type { Component } from '@parley/runtime';
import { createReaderPools, ReadingFailed } from '@parley/runtime/sandbox';
import type { JOBS } from './jobs.ts';

/** Reads mail in processes that can be killed, for its senders in turn. */
export interface MailReader extends Component {
  /**
   * Undefined if it can't be read: it is broken beyond measure, or made to keep a reader busy.
   *
   * @param sender whose mails wait for each other; absent: nobody else's do
   */
  read(raw: Uint8Array, signal: AbortSignal, sender?: string): Promise<ReadMail | undefined>;
}

const PROCESSES = 3;
/** The largest mail takes about a second. */
const TIMEOUT_MS = 10_000;
/** A mail, its parts and their text at the same time. */
const MEMORY_MB = 512;

export function createMailReader(): MailReader {
  const jobs = new URL('./jobs.ts', import.meta.url);
  const pools = createReaderPools<typeof JOBS>({ jobs, size: PROCESSES, timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB });
  return {
    name: 'mail reader',
    async read(raw, signal, sender) {
      const reader = pools.reader(sender);
      for (const cut of [true, false])
        try {
          return await reader.read('mail', { raw, cut }, signal);
        } catch (error) {
          if (!(error instanceof ReadingFailed)) throw error;
          // Its headers or its nesting are at fault, not what it quotes.
          if (error.reason === 'error') return undefined;
        }
      return undefined;
    },
    stop: () => pools.close(),
  };
}
