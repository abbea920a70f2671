import { parseTranscript } from './cues.ts';
import { TranscriptError } from './transcript-error.ts';

/** Why a file can't be read as a transcript; null if it can. */
export function checkTranscript({ text }: { text: string }): string | null {
  try {
    parseTranscript(text);
    return null;
  } catch (error) {
    if (error instanceof TranscriptError) return error.message;
    throw error;
  }
}
