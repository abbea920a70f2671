import { type PathPatterns, pageChooser } from '@parley/corpus/path-patterns';

/** Runs as a reading job. */
export const chosenPages = ({ pageUrls, ...patterns }: PathPatterns & { pageUrls: readonly string[] }): boolean[] =>
  pageUrls.map(pageChooser(patterns));
