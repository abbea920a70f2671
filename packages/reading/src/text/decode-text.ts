import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { detect } from 'jschardet';
import { decoderFor, decodeWindows1252, markOf } from './charset.ts';

const PART_BYTES = 64 * 1024;
/** Bytes that the detection looks at; more takes seconds. */
const SAMPLE_BYTES = 256 * 1024;
/** Names that the detector and the decoder spell differently. */
const NAMES: Record<string, string> = {
  CP932: 'shift_jis',
  CP949: 'euc-kr',
  'UTF-16LE': 'utf-16le',
  'UTF-16BE': 'utf-16be',
};

/**
 * Decodes a text file in parts: by its byte order mark, as UTF-8 if it is valid, or in the encoding that its bytes are most
 * like. Windows-1252 is the last resort.
 */
export function* decodeText(file: Buffer): Generator<string> {
  if (isUtf32(file)) return yield* decodeUtf32(file);
  const decoder = decoderOf(file);
  for (let at = 0; at < file.length; at += PART_BYTES) {
    const isLast = at + PART_BYTES >= file.length;
    yield decoder.decode(file.subarray(at, at + PART_BYTES), { stream: !isLast });
  }
}

interface Decoder {
  decode(bytes: Buffer, options: { stream: boolean }): string;
}

function decoderOf(file: Buffer): Decoder {
  const mark = markOf(file);
  if (mark) return new TextDecoder(mark);
  if (isUtf8(file)) return new TextDecoder('utf-8');
  const { encoding } = detect(sampleOf(file));
  const decoder = encoding ? decoderFor(NAMES[encoding] ?? encoding) : undefined;
  if (!decoder || decoder.encoding === 'windows-1252') return { decode: (bytes) => decodeWindows1252(bytes) };
  return decoder;
}

/** Lines with bytes beyond ASCII: in a large English file with a few names, only they show its encoding. */
function sampleOf(file: Buffer): Buffer {
  const lines: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < file.length && length < SAMPLE_BYTES; ) {
    const newline = file.indexOf(10, at);
    const line = file.subarray(at, newline < 0 ? file.length : newline + 1);
    if (hasHighByte(line)) {
      const sampled = line.subarray(0, SAMPLE_BYTES);
      lines.push(sampled);
      length += sampled.length;
    }
    at += line.length;
  }
  // Encodings of seven bits that switch by escape sequences have no such lines.
  return lines.length > 0 ? Buffer.concat(lines) : file.subarray(0, SAMPLE_BYTES);
}

const hasHighByte = (line: Buffer): boolean => {
  for (const byte of line) if (byte > 0x7f) return true;
  return false;
};

const isUtf32 = (file: Buffer): boolean =>
  file.length >= 4 && file.length % 4 === 0 && (isUtf32Le(file) || file.readUInt32BE(0) === 0xfeff);
const isUtf32Le = (file: Buffer): boolean => file.readUInt32LE(0) === 0xfeff;

function* decodeUtf32(file: Buffer): Generator<string> {
  const read = isUtf32Le(file) ? file.readUInt32LE.bind(file) : file.readUInt32BE.bind(file);
  for (let at = 4; at < file.length; at += PART_BYTES) {
    let text = '';
    for (let i = at; i < Math.min(at + PART_BYTES, file.length); i += 4) {
      const point = read(i);
      text += String.fromCodePoint(point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? point : 0xfffd);
    }
    yield text;
  }
}
