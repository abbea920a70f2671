import { type PathPatterns, pageChooser } from './path-patterns.ts';

/** Runs as a reading job. */
export const chosenPages = ({ pageUrls, ...patterns }: PathPatterns & { pageUrls: readonly string[] }): boolean[] =>
  pageUrls.map(pageChooser(patterns));
