/**
 * `time`: the job timed out. `memory`: it took more than its process may have. `crash`: the process ended otherwise.
 * `error`: the job threw.
 */
export type ReadingFailure = 'time' | 'memory' | 'crash' | 'error';

export class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed';
  readonly reason: ReadingFailure;
  /** The job's time limit. */
  readonly timeoutMs: number;

  constructor(reason: ReadingFailure, timeoutMs: number, cause?: unknown) {
    super(`Reading failed: ${reason}.`, { cause });
    this.reason = reason;
    this.timeoutMs = timeoutMs;
  }
}
