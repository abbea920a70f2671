export { checkTranscript } from './check-transcript.ts';
export { parseTranscript } from './cues.ts';
export { readPassages } from './read-passages.ts';
export { TranscriptError } from './transcript-error.ts';
