import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BusConfig, type Env, readMongo, type ServiceConfig } from '@parley/runtime';
import type { MongoConfig } from '@parley/runtime/mongo';
import type { RpcName } from '../../processes.ts';
import { readIfThere, writePrivate } from './data-dir.ts';

/**
 * Where to find a running system: host:port of each service, and the fields below. Command-line programs read it from the
 * data directory.
 */
export interface Endpoints extends Record<RpcName, string> {
  pid: number;
  /** How RPCs are encrypted; absent: not at all. */
  rpcTls?: ServiceConfig['rpcTls'];
  /** URL of the REST API, with its `/v1`. */
  gateway: string;
  /** Includes the server's address, which may contain a password: the file is private, like the secret beside it. */
  bus: BusConfig;
  /** The database of each service that operators' programs look into. Likewise. */
  databases: Record<string, MongoConfig>;
}

/** The databases that operators' programs look into. */
export const databasesOf = (env: Env): Endpoints['databases'] =>
  Object.fromEntries(['assistants', 'corpus'].map((name) => [name, readMongo(env, name)]));

const fileOf = (dataDir: string): string => join(dataDir, 'endpoints.json');

export const writeEndpoints = (dataDir: string, endpoints: Endpoints): Promise<void> =>
  writePrivate(fileOf(dataDir), `${JSON.stringify(endpoints, null, 2)}\n`);

export const removeEndpoints = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true });

/** Undefined if no system is running. A system that was killed leaves its file behind. */
export async function readEndpoints(dataDir: string): Promise<Endpoints | undefined> {
  const text = await readIfThere(fileOf(dataDir));
  return text === undefined ? undefined : (JSON.parse(text) as Endpoints);
}
