import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Env } from '@parley/runtime';

/** Local copies of builds. */
export interface IndexConfig {
  dir: string;
  /** How large the folder may become. */
  maxBytes: number;
}

const MIB = 1024 * 1024;

/** INDEX_DIR and INDEX_DISK_MIB. */
export const readIndexConfig = (env: Env): IndexConfig => ({
  dir: env.get('INDEX_DIR') ?? path.join(tmpdir(), 'parley-index'),
  maxBytes: env.get('INDEX_DISK_MIB') * MIB,
});
