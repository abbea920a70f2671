/** Characters that some system forbids in file names, that could end a header's value early, or look like others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const NOT_ASCII = /[^\x20-\x7e]|%/gu;

/** A Content-Disposition (RFC 6266) that saves a file under this name, with an ASCII name for old clients. */
export function contentDisposition(name: string): string {
  const safe = name.toWellFormed().replace(UNSAFE, '_');
  const encoded = encodeURIComponent(safe).replace(/['()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${safe.replace(NOT_ASCII, '_')}"; filename*=UTF-8''${encoded}`;
}
