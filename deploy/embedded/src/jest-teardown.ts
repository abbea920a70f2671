import { rm } from 'node:fs/promises';

/** Stops the engine that `jest-setup.ts` started. */
// biome-ignore lint/style/noDefaultExport: what Jest calls
export default async function teardown(): Promise<void> {
  const started = globalThis.parleyTestEngine;
  await started?.engine.stop();
  if (started) await rm(started.dataDir, { recursive: true, force: true });
}
