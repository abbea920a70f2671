import type { SplitText } from '@parley/reading/split';
import type { JobInput as SandboxInput } from '@parley/runtime/sandbox';

/**
 * Everything that parses hostile text. Runs in a reader process, which can be killed, and which loads the code of a job on
 * first use.
 */
export const JOBS = {
  /** Reads a robots.txt. */
  robots: async () => (await import('@parley/reading/sites')).readRobots,
  /** Which addresses a robots.txt allows. */
  allowed: async () => (await import('@parley/reading/sites')).allowedBy,
  /** Which pages the owner's patterns choose. */
  chosen: async () => (await import('@parley/reading/sites')).chosenPages,
  /** Receives a document in a process of its own, which then reads it part by part. */
  openDocument: async () => (await import('@parley/reading/documents')).openDocument,
  nextParts: async () => (await import('@parley/reading/documents')).nextParts,
  /** The captions of a video, as passages. */
  passages: async () => (await import('@parley/reading/transcripts')).readPassages,
  page: async () => (await import('@parley/reading/pages')).readContent,
  sitemap: async () => (await import('@parley/reading/sites')).parseSitemap,
  /** The first pieces of each text. */
  split: async () => {
    const { split } = await import('@parley/reading/split');
    return ({ texts, limit }: { texts: readonly SplitText[]; limit: number }) =>
      texts.map((text) => split(text, limit));
  },
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

export type JobName = keyof typeof JOBS;
export type JobInput<Name extends JobName> = SandboxInput<typeof JOBS, Name>;
