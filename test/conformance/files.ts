/** Small files of each type that documents may have. */

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));
const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => Uint8Array.from(values);

function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** A .docx with the paragraph "Tea at four." */
const DOCX =
  'UEsDBBQAAAAIAG1vdl2axphxygAAADoBAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbH1QzU7DMAx+lShX1LrjgBBquwODI3AYD2AlbhfR2FGSjfH2uAztwIGj/f3a/fYcF3OiXILwYDdtZw2xEx94Huz7/rm5t9ux338lKkapXAZ7qDU9ABR3oIillUSsyCQ5YtUxz5DQfeBMcNt1d+CEK3Ft6uphx35HEx6Xap7Our7EqtyaxwtvjRosprQEh1VhWFEY+1dtmYMn84a5vmBUFnxK9uDFHaMq2/9tTuz/dG1kmoKjq351S1kclaLnx6W9IhED3/z2gJ9njN9QSwMEFAAAAAgAbW92Xa1Y5XB4AAAAngAAABEAAAB3b3JkL2RvY3VtZW50LnhtbEXOzQ3DIAwF4FVQBoijHnpAlCm6AAXnR4oxMo5ot29ID718T7b1JLtmE8eDMKt5056rbY9hVS0WoMYVKdSRC+bzNrNQ0HOUBRpLKsIRa93yQjvcpukOFLY8eNfsi9OnZ+lIR/0TgwlqZj5kdNA3Xbksl78W/D/yX1BLAQIUAxQAAAAIAG1vdl2axphxygAAADoBAAATAAAAAAAAAAAAAACAAQAAAABbQ29udGVudF9UeXBlc10ueG1sUEsBAhQDFAAAAAgAbW92Xa1Y5XB4AAAAngAAABEAAAAAAAAAAAAAAIAB+wAAAHdvcmQvZG9jdW1lbnQueG1sUEsFBgAAAAACAAIAgAAAAKIBAAAAAA==';

/** The header of a compound file (OLE), which a .doc is, followed by empty sectors. */
const OLE_HEADER = bytes(
  ...[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
  ...Array(16).fill(0),
  ...[0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0],
);

export const FILES = {
  pdf: utf8(PDF),
  ole: joined(OLE_HEADER, new Uint8Array(1_536 - OLE_HEADER.length)),
  docx: new Uint8Array(Buffer.from(DOCX, 'base64')),
  text: utf8('Tea is served at four. ☕\n'),
  csv: utf8('item,price\ntea,4\ncake,7\n'),
  'UTF-16 little endian': joined(bytes(0xff, 0xfe), new Uint8Array(Buffer.from('Tea at four\n', 'utf16le'))),
  'UTF-16 big endian': joined(bytes(0xfe, 0xff), new Uint8Array(Buffer.from('Tea at four\n', 'utf16le').swap16())),
  'UTF-32 little endian': bytes(0xff, 0xfe, 0, 0, 0x54, 0, 0, 0, 0x65, 0, 0, 0),
  png: bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52),
  'text with NUL': utf8('Tea\0at four'),
} satisfies Record<string, Uint8Array<ArrayBuffer>>;

export type FileName = keyof typeof FILES;

export const FILE_TYPES = ['application/pdf', 'application/msword', 'text/plain', 'text/csv'] as const;

const TEXTS: FileName[] = ['text', 'csv', 'UTF-16 little endian', 'UTF-16 big endian', 'UTF-32 little endian'];

/** Samples that each type accepts; every other one must be refused. */
export const ACCEPTED: Record<(typeof FILE_TYPES)[number], FileName[]> = {
  'application/pdf': ['pdf'],
  'application/msword': ['ole', 'docx'],
  'text/plain': TEXTS,
  'text/csv': TEXTS,
};
