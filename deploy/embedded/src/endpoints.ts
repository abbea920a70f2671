import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writePrivate } from './data-dir.ts';

/** Where a running system is found: what the command-line programs read in its data directory. */
export interface Endpoints {
  pid: number;
  /** The address of the REST API, with its `/v1`. */
  gateway: string;
  /** host:port of each service. */
  auth: string;
  knowledge: string;
  assistants: string;
  conversations: string;
}

const fileOf = (dataDir: string): string => join(dataDir, 'endpoints.json');

export const writeEndpoints = (dataDir: string, endpoints: Endpoints): Promise<void> =>
  writePrivate(fileOf(dataDir), `${JSON.stringify(endpoints, null, 2)}\n`);

export const removeEndpoints = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true });

/** Undefined where none runs; those of one that was killed are still there. */
export async function readEndpoints(dataDir: string): Promise<Endpoints | undefined> {
  const text = await readIfThere(fileOf(dataDir));
  return text === undefined ? undefined : (JSON.parse(text) as Endpoints);
}
