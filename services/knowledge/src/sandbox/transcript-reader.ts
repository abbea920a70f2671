import { type Component, invalidArgument } from '@parley/runtime';
import { createReaderPools, ReadingFailed } from '@parley/runtime/sandbox';
import type { JOBS } from './jobs.ts';

/** The largest transcript takes less than a second. */
const TIMEOUT_MS = 5_000;
const MEMORY_MB = 256;

/** Reads transcripts in another process, for accounts in turn: a large one would hold up every search of this one. */
export interface TranscriptReader extends Component {
  /** @throws AppError `invalid_argument` that names the line that can't be read */
  check(account: string, field: string, text: string, signal: AbortSignal): Promise<void>;
}

export function createTranscriptReader(): TranscriptReader {
  const jobs = new URL('./jobs.ts', import.meta.url);
  const pools = createReaderPools<typeof JOBS>({ jobs, timeoutMs: TIMEOUT_MS, memoryMb: MEMORY_MB });
  return {
    name: 'transcript reader',
    async check(account, field, text, signal) {
      const refused = await pools
        .reader(account)
        .read('transcript', { text }, signal)
        .catch((error: unknown) => {
          if (!(error instanceof ReadingFailed)) throw error;
          throw invalidArgument(`${field} is too complex to be read.`, error);
        });
      if (refused !== null) throw invalidArgument(`${field} must be an SRT or VTT file: ${refused}.`);
    },
    stop: () => pools.close(),
  };
}
