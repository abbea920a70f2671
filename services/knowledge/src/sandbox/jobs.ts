/** Parses texts of strangers in a reader process, which can be killed. */
export const JOBS = {
  /** Why a file can't be read as a transcript. */
  transcript: async () => (await import('@parley/reading/transcripts')).checkTranscript,
} satisfies Record<string, () => Promise<(input: never) => unknown>>;
