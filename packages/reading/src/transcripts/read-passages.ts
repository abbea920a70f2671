import type { Piece } from '../split/split.ts';
import { chaptersOf } from './chapters.ts';
import { parseTranscript } from './cues.ts';
import { passagesOf } from './passages.ts';
import { mergeRolling } from './rolling.ts';
import { TranscriptError } from './transcript-error.ts';

export interface ReadPassages {
  readonly pieces: readonly Piece[];
  /** BCP 47 tag, if the file says so. */
  readonly language?: string;
  /** There are more captions than the limit. */
  readonly isCut: boolean;
}

/**
 * The passages of a transcript, an SRT or VTT file, under the chapters that the video's description lists; or the reason why
 * it can't be read, which goes on after "the transcript, ".
 */
export function readPassages(input: {
  transcript: string;
  description: string;
  url: string;
  /** Captions that are read. */
  limit: number;
}): ReadPassages | { refused: string } {
  try {
    const { cues, language, isCut } = parseTranscript(input.transcript, input.limit);
    const pieces = passagesOf(mergeRolling(cues), chaptersOf(input.description), input.url);
    return { pieces, isCut, ...(language && { language }) };
  } catch (error) {
    if (error instanceof TranscriptError) return { refused: error.message };
    throw error;
  }
}
