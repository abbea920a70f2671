import { MAX_TRANSCRIPT_BYTES, parseTranscript, TranscriptError } from '@parley/corpus';
import { invalidArgument } from '@parley/runtime';

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

/** The text as sent. @throws AppError `invalid_argument` that names the line that can't be read. */
export function checkedTranscript(field: string, text: string): string {
  if (Buffer.byteLength(text) > MAX_TRANSCRIPT_BYTES)
    throw invalidArgument(`${field} must have at most ${MAX_TRANSCRIPT_BYTES.toLocaleString('en')} bytes.`);
  try {
    parseTranscript(text);
    return text;
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    throw invalidArgument(`${field} must be an SRT or VTT file: ${error.message}.`);
  }
}

/** @throws AppError `invalid_argument` */
export function captionLanguage(field: string, tag: string): string {
  if (LANGUAGE.test(tag)) return tag;
  throw invalidArgument(`${field} must be a language tag such as en or pt-BR.`);
}
