import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startParley } from '@parley/embedded';
import { MongoClient } from 'mongodb';
import { writePrivate } from '../../deploy/embedded/src/data-dir.ts';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { QUESTION } from '../conformance/populated.ts';
import { createAccount } from '../e2e/account.ts';
import { keyed } from '../e2e/api.ts';
import { writeDatabases, writeFiles } from './data.ts';
import { answersOf, keptReleases, type Release } from './release.ts';

const releases = await keptReleases();

test.each(releases)('what $version stored is read as it was, answers, and can be trained again', async (release) => {
  await using stops = new AsyncDisposableStack();
  const account = await startOn(release, stops);
  // A release may add fields, and changes none.
  expect(await answersOf(account.api)).toMatchObject(release.answers);

  const before = await account.ask({ id: release.chatbot }, QUESTION);
  expect(before.sources).toHaveLength(1);
  const knowledge = await account.parley.get('/chatbot/{id}/knowledge', { path: { id: release.chatbot } });
  for (const { id } of knowledge.items)
    expect(await account.train({ id })).toMatchObject({ is_training: false, training_failed_at: null });
  const { id: _, session_id: __, ...after } = await account.ask({ id: release.chatbot }, QUESTION);
  expect(before).toMatchObject(after);
});

/** Starts this release on the data of another one, as an upgrade does. */
async function startOn({ secret, key, databases, files }: Release, stops: AsyncDisposableStack) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-release-'));
  stops.defer(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await startEngine({ dataDir });
  stops.defer(engine.stop);
  const mongo = new MongoClient(engine.uri);
  await writeDatabases(mongo, databases).finally(() => mongo.close());
  await writeFiles(join(dataDir, 'objects'), files);
  await writePrivate(join(dataDir, 'secret'), secret);
  const variables = { MONGODB_URI: engine.uri, EMBEDDINGS: 'none', LOG_LEVEL: 'error' };
  const parley = await startParley({ dataDir, port: 0, variables });
  stops.defer(parley.stop);
  return createAccount(keyed(parley.endpoints.gateway, key), key);
}
