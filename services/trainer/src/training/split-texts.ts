import type { Piece, SplitText } from '@parley/reading/split';
import { ReadingFailed } from '@parley/runtime/sandbox';
import { LoadError } from '../crawl/http/load-error.ts';
import type { Reader } from '../sandbox/readers.ts';

/** A text, and its pieces if it has been cut already. */
type Text = SplitText & { readonly pieces?: readonly Piece[] };

/** The first `limit` pieces of each text. @throws LoadError if a text takes too long or too much memory. */
export async function splitTexts(
  reader: Reader,
  texts: readonly Text[],
  limit: number,
  signal: AbortSignal,
): Promise<Piece[][]> {
  const whole = texts.filter(({ pieces }) => pieces === undefined);
  const split = whole.length > 0 ? (await splitWhole(reader, whole, limit, signal)).values() : [].values();
  return texts.map(({ pieces }) => pieces?.slice(0, limit) ?? split.next().value!);
}

async function splitWhole(reader: Reader, whole: readonly Text[], limit: number, signal: AbortSignal) {
  const texts = whole.map(({ text, isBlocks, isOneSection }) => ({ text, isBlocks, isOneSection }));
  try {
    return await reader.read('split', { texts, limit }, signal);
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    throw new LoadError('The text is too complex to be split into passages.', { cause: error });
  }
}
