import { invalidArgument } from '@parley/runtime';
import { fileTypeFromBuffer } from 'file-type';

/** By media type, the extensions of names, the usual one first. Nothing that a program of its reader would run. */
const ALLOWED: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/apng': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/heic': ['heic'],
  'image/avif': ['avif'],
  'image/tiff': ['tif', 'tiff'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov'],
  'video/webm': ['webm'],
  'audio/mpeg': ['mp3'],
  'audio/x-m4a': ['m4a'],
  'audio/ogg': ['ogg'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'text/plain': ['txt', 'csv', 'log', 'md'],
};

const MAX_NAME = 255;
/** Length of the excerpt that an error repeats. */
const SHOWN_NAME = 60;
/** Text has none of these, in whatever charset. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_TEXT = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;
/** A page, an image or a program in markup. */
const MARKUP = /^\s*</;

/** A file of a form, as it may be kept. */
export interface AllowedFile {
  /** With an extension of its type. */
  name: string;
  /** A media type, by its content. */
  type: string;
}

/**
 * The type of a file by what is in it: its name says nothing. The name gets an extension that fits, so that what is text is
 * not run as a program by a double click.
 *
 * @throws AppError `invalid_argument` that names the file, for a type that is not allowed
 */
export async function allowedFile(name: string, content: Uint8Array): Promise<AllowedFile> {
  // The mark of UTF-16 could begin sound as well.
  const found = isUtf16(content) ? undefined : await fileTypeFromBuffer(content);
  const type = found?.mime ?? (isText(content) ? 'text/plain' : 'unknown');
  const extensions = ALLOWED[type];
  if (!extensions)
    throw invalidArgument(
      `"${oneLine(name).slice(0, SHOWN_NAME)}" is of a type that is not accepted. Send images, PDF, office documents, audio, video or plain text.`,
    );
  const given = oneLine(name) || 'file';
  const isFitting = extensions.some((extension) => given.toLowerCase().endsWith(`.${extension}`));
  const [usual] = extensions;
  return { type, name: isFitting ? firstOf(given, MAX_NAME) : `${firstOf(given, MAX_NAME - 10)}.${usual}` };
}

/** Text in any charset. */
function isText(content: Uint8Array): boolean {
  const text = isUtf16(content) ? utf16(content)! : new TextDecoder('latin1').decode(content);
  // A mark of UTF-8 is three characters here.
  return text !== '' && !NOT_TEXT.test(text) && !MARKUP.test(text.replace(/^ï»¿/, ''));
}

/** Text with the mark of UTF-16, all of whose characters exist. */
const isUtf16 = (content: Uint8Array): boolean => {
  const text = utf16(content);
  return text !== undefined && !/[\p{Cn}\p{Co}]/u.test(text);
};

/** Undefined if it has no such mark, or is not well-formed. */
function utf16(content: Uint8Array): string | undefined {
  const mark = (content[0] ?? 0) * 256 + (content[1] ?? 0);
  if (mark !== 0xfffe && mark !== 0xfeff) return undefined;
  try {
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

const oneLine = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/** The end of a name says what it is. */
const firstOf = (name: string, max: number): string => [...name].slice(-max).join('');
