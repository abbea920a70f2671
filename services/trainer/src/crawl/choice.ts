import type { PathPatterns } from '@parley/reading/sites';
import { ReadingFailed } from '@parley/runtime/sandbox';
import type { Reader } from '../sandbox/readers.ts';
import { SiteGivenUp } from './patience.ts';

/** Returns whether each page, by its `pageUrl`, is one that the owner wants. */
export type Choice = (pageUrls: readonly string[]) => Promise<readonly boolean[]>;

export const everyPage: Choice = async (pageUrls) => pageUrls.map(() => true);

/**
 * The pages that the owner's patterns choose. Many long addresses take a while, so a reader matches them, and the trainer
 * goes on. Throws SiteGivenUp if that takes too long.
 */
export function choiceOf(patterns: PathPatterns, reader: Reader, signal: AbortSignal): Choice {
  const { include, exclude } = patterns;
  if (include.length === 0 && exclude.length === 0) return everyPage;
  return async (pageUrls) => {
    if (pageUrls.length === 0) return [];
    try {
      return await reader.read('chosen', { include, exclude, pageUrls }, signal);
    } catch (error) {
      if (!(error instanceof ReadingFailed)) throw error;
      throw new SiteGivenUp('Comparing the pages of this website with its patterns took too long.', { cause: error });
    }
  };
}
