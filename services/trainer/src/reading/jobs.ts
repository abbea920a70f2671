import type { SplitText } from '../training/split.ts';

/**
 * Everything that parses hostile text. Runs in a reader process, which can be killed, and which loads the code of a job on
 * first use.
 */
export const JOBS = {
  /** What a robots.txt says. */
  robots: async () => (await import('../website/robots-rules.ts')).readRobots,
  /** Which addresses a robots.txt allows. */
  allowed: async () => (await import('../website/robots-rules.ts')).allowedBy,
  /** Which pages the owner's patterns choose. */
  chosen: async () => (await import('../website/chosen-pages.ts')).chosenPages,
  /** Receives a document in a process of its own, which then reads it part by part. */
  openDocument: async () => (await import('../documents/open-document.ts')).openDocument,
  nextParts: async () => (await import('../documents/open-document.ts')).nextParts,
  /** The captions of a video, as passages. */
  passages: async () => (await import('../videos/read-passages.ts')).readPassages,
  page: async () => (await import('../website/page-content.ts')).readContent,
  sitemap: async () => (await import('../website/sitemap-file.ts')).parseSitemap,
  /** The first pieces of each text. */
  split: async () => {
    const { split } = await import('../training/split.ts');
    return ({ texts, limit }: { texts: readonly SplitText[]; limit: number }) =>
      texts.map((text) => split(text, limit));
  },
} satisfies Record<string, () => Promise<(input: never) => unknown>>;

type Job<Name extends JobName> = Awaited<ReturnType<(typeof JOBS)[Name]>>;

export type JobName = keyof typeof JOBS;
export type JobInput<Name extends JobName> = Parameters<Job<Name>>[0];
export type JobOutput<Name extends JobName> = Awaited<ReturnType<Job<Name>>>;

/** The first message to a reader process. */
export interface ReaderSettings {
  /** The process ends if its resident memory exceeds this. */
  readonly residentMb: number;
}

export interface JobMessage {
  readonly name: JobName;
  readonly input: unknown;
}

/** What a reader process sends for each job: `begun` once the code is loaded, then the outcome. */
export type ReaderMessage = 'begun' | { readonly output: unknown } | { readonly failed: string };
