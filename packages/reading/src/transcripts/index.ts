export { checkTranscript } from './check-transcript.ts';
export { type Cue, parseTranscript, type Transcript } from './cues.ts';
export { type ReadPassages, readPassages } from './read-passages.ts';
export { TranscriptError } from './transcript-error.ts';
