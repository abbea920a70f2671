import { MAX_TRANSCRIPT_BYTES } from '@parley/corpus/model';
import { invalidArgument } from '@parley/runtime';

const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

/** The file, as sent. @throws AppError `invalid_argument` */
export function transcriptFile(field: string, text: string): Buffer {
  const file = Buffer.from(text);
  if (file.length <= MAX_TRANSCRIPT_BYTES) return file;
  throw invalidArgument(`${field} must have at most ${MAX_TRANSCRIPT_BYTES.toLocaleString('en')} bytes.`);
}

/** @throws AppError `invalid_argument` */
export function captionLanguage(field: string, tag: string): string {
  if (LANGUAGE.test(tag)) return tag;
  throw invalidArgument(`${field} must be a language tag such as en or pt-BR.`);
}
