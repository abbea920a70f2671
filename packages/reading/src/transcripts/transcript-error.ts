/** A transcript that can't be read; the message names the line and the reason. */
export class TranscriptError extends Error {
  override readonly name = 'TranscriptError';

  /** @param reason goes on after "line 3: ". */
  constructor(line: number, reason: string, options?: ErrorOptions) {
    super(`line ${line.toLocaleString('en')}: ${reason}`, options);
  }
}
