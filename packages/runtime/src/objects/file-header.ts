import type { FileHandle } from 'node:fs/promises';

/** Metadata of a body, kept in the same file so that one rename replaces both. */
export interface FileHeader {
  contentType: string;
}

/** Fixed, so that the size of the body can be computed from the size of the file. */
export const HEADER_BYTES = 512;

/** A line of JSON, padded with spaces. */
export async function writeHeader(handle: FileHandle, header: FileHeader): Promise<void> {
  await handle.writeFile(`${JSON.stringify(header).padEnd(HEADER_BYTES - 1)}\n`);
}

export async function readHeader(handle: FileHandle): Promise<FileHeader> {
  const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  return JSON.parse(buffer.toString('latin1'));
}
