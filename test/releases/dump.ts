/**
 * Writes the data of this release to `test/releases/data/<version>.json.gz`, for later releases to start on:
 *
 *     node deploy/run.mjs test/releases/dump.ts
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { BSON } from 'mongodb';
import { populated } from '../conformance/populated.ts';
import { seedIn } from '../conformance/seed.ts';
import { world } from '../e2e/world.ts';
import { readDatabases, readFiles } from './data.ts';
import { answersOf, type Release } from './release.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
const system = await world({ embeddings: 'none' });
const { a, parley, mongo, dataDir } = system;
const { chatbot } = await populated(a, seedIn({ ...parley.endpoints, secret: parley.secret }));
const answers = await answersOf(a.api);
// What is written in the background is part of a release's data, too, so nothing waits for it.
await parley.stop();
const release: Release = {
  version,
  secret: parley.secret,
  key: a.key,
  chatbot: chatbot.id,
  answers,
  databases: await readDatabases(mongo),
  files: await readFiles(`${dataDir}/objects`),
};
await system.stop();

const file = `${ROOT}/test/releases/data/${version}.json.gz`;
await mkdir(`${ROOT}/test/releases/data`, { recursive: true });
await writeFile(file, gzipSync(BSON.EJSON.stringify(release, { relaxed: false }), { level: 9 }));
process.stdout.write(`${file}\n`);
process.exit(0);
