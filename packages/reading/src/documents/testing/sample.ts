import { readFile } from 'node:fs/promises';

/** Reads a document that a common program wrote; `samples/README.md` says which. */
export const sample = (name: string): Promise<Buffer> => readFile(new URL(`./samples/${name}`, import.meta.url));
