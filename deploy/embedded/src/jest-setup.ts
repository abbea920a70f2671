import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, startEngine } from './engine/start-engine.ts';

declare global {
  /** The engine, for `jest-teardown.ts` to stop; Jest runs both in one process. */
  var parleyTestEngine: { engine: Engine; dataDir: string } | undefined;
}

/** Starts one engine for the whole Jest run and sets TEST_MONGODB_URI to it; if that is already set, uses that server. */
// biome-ignore lint/style/noDefaultExport: what Jest calls
export default async function setup(): Promise<void> {
  if (process.env.TEST_MONGODB_URI) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const engine = await startEngine({ dataDir });
  globalThis.parleyTestEngine = { engine, dataDir };
  process.env.TEST_MONGODB_URI = engine.uri;
}
