/**
 * The jobs of a reader process, by name: each entry loads the code of a job on first use. A module exports them as `JOBS`.
 */
export type Jobs = Record<string, () => Promise<(input: never) => unknown>>;

type Job<J extends Jobs, Name extends keyof J> = Awaited<ReturnType<J[Name]>>;

export type JobInput<J extends Jobs, Name extends keyof J> = Parameters<Job<J, Name>>[0];
export type JobOutput<J extends Jobs, Name extends keyof J> = Awaited<ReturnType<Job<J, Name>>>;

/** The first message to a reader process. */
export interface ReaderSettings {
  /** The module of its jobs. */
  readonly jobs: string;
  /** The process ends if its resident memory exceeds this. */
  readonly residentMb: number;
}

export interface JobMessage {
  readonly name: string;
  readonly input: unknown;
}

/** The messages of a reader process about a job: `begun` once the code is loaded, then the outcome. */
export type ReaderMessage = 'begun' | { readonly output: unknown } | { readonly failed: string };
