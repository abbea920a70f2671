import { TextDecoder } from 'node:util';

const SNIFFED_BYTES = 1024; // as far as the HTML standard looks for a meta element

const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes a page: by byte order mark, header or meta element; otherwise as UTF-8, or as Windows-1252 if it is not valid
 * UTF-8.
 */
export function decode(body: Buffer, contentType = ''): string {
  const label = markOf(body) ?? labelIn(contentType) ?? metaOf(body);
  const decoder = label && decoderFor(label);
  if (decoder) return decoder.encoding === 'windows-1252' ? decodeWindows1252(body) : decoder.decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return decodeWindows1252(body);
  }
}

/** Node's own decoder reads these bytes as Latin-1, which has no quotation marks and dashes there. */
export function decodeWindows1252(body: Buffer): string {
  return body.toString('latin1').replace(/[\x80-\x9f]/g, (control) => FROM_0X80[control.charCodeAt(0) - 0x80]!);
}

/** The byte that Windows-1252 has for a character; undefined if it has none. */
export function byteOf(character: string): number | undefined {
  const code = character.codePointAt(0)!;
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
  const at = FROM_0X80.indexOf(character);
  return at < 0 ? undefined : 0x80 + at;
}

export function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return undefined;
}

function labelIn(text: string): string | undefined {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(text)?.[1];
}

/** A meta element that is readable as ASCII is not in UTF-16, whatever it says. */
function metaOf(body: Buffer): string | undefined {
  const metas = body.toString('latin1', 0, SNIFFED_BYTES).match(/<meta\s[^<>]*>/gi);
  const meta = metas?.find((each) => /charset/i.test(each));
  const label = meta && labelIn(meta);
  return label && (/^utf-?16/i.test(label) ? 'utf-8' : label);
}

export function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // an unknown label says nothing
  }
}
