import { LoadError } from '../http/load-error.ts';
import type { Piece, SplitText } from '../training/split.ts';
import type { Reader } from './readers.ts';
import { ReadingFailed } from './reading-failed.ts';

/** The first `limit` pieces of each text. @throws LoadError if a text takes too long or too much memory. */
export async function splitTexts(
  reader: Reader,
  texts: readonly SplitText[],
  limit: number,
  signal: AbortSignal,
): Promise<Piece[][]> {
  try {
    return await reader.read('split', { texts, limit }, signal);
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    throw new LoadError('The text is too complex to be split into passages.', { cause: error });
  }
}
