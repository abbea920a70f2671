import { afterAll, afterEach, expect, test } from '@jest/globals';
import { CannotRun, readEnv } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { randomId } from '@parley/runtime/rpc';
import { freshDatabase, until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { readConfig } from './config.ts';
import { createGateway, type Gateway } from './create.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri);
const db = client.db(`${database.name}_gateway`);
let gateway: Gateway;
afterEach(async () => {
  await gateway.stop();
  await db.dropDatabase();
});
afterAll(() => client.close());

async function start() {
  const nowhere = '127.0.0.1:1';
  const variables = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    PARLEY_SECRET: randomId(),
    MONGODB_URI: database.uri,
    MONGODB_DATABASE_PREFIX: database.name,
    AUTH_ADDRESS: nowhere,
    KNOWLEDGE_ADDRESS: nowhere,
    ASSISTANTS_ADDRESS: nowhere,
    CONVERSATIONS_ADDRESS: nowhere,
    EVENTS_ADDRESS: nowhere,
    OBJECTS_DIR: '/nowhere',
  };
  const objects = createDirectoryStore({ dir: variables.OBJECTS_DIR });
  gateway = createGateway(readConfig(readEnv(variables)), { objects });
  await gateway.start();
}

test("the gateway serves while its own database can't be migrated, and retries until it can", async () => {
  const records = db.collection('idempotency');
  // The index that a migration creates, with other options: the server refuses to create it.
  await records.createIndex({ expires_at: 1 });
  await start();
  const { port } = gateway.address();
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  const migrated = async () => (await db.collection('migrations').countDocuments()) > 0;
  await until(async () => (await db.collection('leases').countDocuments()) > 0);
  expect(await migrated()).toBe(false);
  await records.dropIndex('expires_at_1');
  await until(migrated);
});

test('the gateway stops if a newer release has migrated its database', async () => {
  await db.collection<{ _id: number; name: string }>('migrations').insertOne({ _id: 99, name: 'from the future' });
  await start();
  const failure = await gateway.failed.catch((error) => error);
  expect(failure).toBeInstanceOf(CannotRun);
  expect(failure.message).toContain(`${database.name}_gateway was migrated by a newer release`);
});
