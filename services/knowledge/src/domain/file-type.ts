import { failedPrecondition, invalidArgument } from '@parley/runtime';

const TYPES = ['application/pdf', 'application/msword', 'text/plain', 'text/csv'] as const;

export type FileType = (typeof TYPES)[number];

/** @throws AppError `invalid_argument` */
export function fileType(field: string, type: string): FileType {
  const known = TYPES.find((each) => each === type);
  if (!known) throw invalidArgument(`${field} must be one of ${TYPES.join(', ')}.`);
  return known;
}

/** Bytes at the beginning of a file by which its type is recognised. */
const HEAD = 1_024;

const bytes = (...dependencies: (string | number)[]): Buffer =>
  Buffer.concat(dependencies.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))));

const PDF = bytes('%PDF-');
const OLE = bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
const ZIP = bytes('PK', 3, 4);

/** How files begin that are no text, even those whose first bytes are printable. */
const BINARY: readonly Buffer[] = [
  PDF,
  OLE,
  ZIP,
  bytes('PK', 5, 6),
  bytes('PK', 7, 8),
  bytes('{\\rtf'),
  bytes('%!PS-'),
  bytes(0x89, 'PNG'),
  bytes('GIF87a'),
  bytes('GIF89a'),
  bytes(0xff, 0xd8, 0xff),
  bytes('II*', 0),
  bytes('MM', 0, '*'),
  bytes(0x1f, 0x8b),
  bytes(0x1f, 0x9d),
  bytes('Rar!', 0x1a, 7),
  bytes('7z', 0xbc, 0xaf, 0x27, 0x1c),
  bytes(0xfd, '7zXZ'),
  bytes(0x28, 0xb5, 0x2f, 0xfd),
  ...[...'123456789'].map((level) => bytes(`BZh${level}1AY&SY`)),
  bytes(0x7f, 'ELF'),
  bytes(0xca, 0xfe, 0xba, 0xbe),
  bytes(0, 'asm'),
  bytes('SQLite format 3'),
  bytes('OggS', 0),
  bytes('fLaC', 0),
  ...[2, 3, 4].map((version) => bytes('ID3', version)),
  bytes(0x1a, 0x45, 0xdf, 0xa3),
];

/** Byte order tombstones of encodings that have NUL bytes: UTF-16 and UTF-32, whose little-endian tombstones begin alike. */
const WIDE_MARKS: readonly Buffer[] = [bytes(0xff, 0xfe), bytes(0xfe, 0xff), bytes(0, 0, 0xfe, 0xff)];

const beginsWith = (head: Buffer, magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic);
const beginsWithOneOf = (head: Buffer, magics: readonly Buffer[]): boolean =>
  magics.some((magic) => beginsWith(head, magic));

/** Readers accept a PDF whose header comes after a mark or blank lines. */
const isPdf = (head: Buffer): boolean => /^(?:\xef\xbb\xbf)?[\t\n\r ]*%PDF-/.test(head.toString('latin1'));

const NAMES: Record<FileType, string> = {
  'application/pdf': 'a PDF',
  'application/msword': 'a Word document',
  'text/plain': 'plain text',
  'text/csv': 'plain text',
};

/**
 * Checks that a file is what its type says, as far as its bytes show. Reads no more of it than that takes.
 *
 * @throws AppError `failed_precondition`
 */
export async function checkFile(type: FileType, file: AsyncIterable<Uint8Array>): Promise<void> {
  const refuse = () =>
    failedPrecondition(
      `The uploaded file is not ${NAMES[type]}, but file_type is ${type}. Upload another file, then finalize again.`,
    );
  const isText = type === 'text/plain' || type === 'text/csv';
  let head = Buffer.alloc(0);
  let isWide = false;
  let known = false;

  function look(): boolean {
    known = true;
    if (type === 'application/pdf') return isPdf(head);
    if (type === 'application/msword') return beginsWithOneOf(head, [OLE, ZIP]);
    isWide = beginsWithOneOf(head, WIDE_MARKS);
    return !beginsWithOneOf(head, BINARY) && (isWide || !head.includes(0));
  }

  for await (const part of file) {
    if (known && Buffer.from(part.buffer, part.byteOffset, part.length).includes(0)) throw refuse();
    if (known) continue;
    head = Buffer.concat([head, part]);
    if (head.length < HEAD) continue;
    if (!look()) throw refuse();
    if (!isText || isWide) return;
  }
  if (head.length === 0) throw failedPrecondition('The uploaded file is empty. Upload another, then finalize again.');
  if (!known && !look()) throw refuse();
}
