import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, randomId } from '@parley/runtime';
import { rpcClient } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { SERVICES } from '../services.ts';
import { gate } from '../testing/gate.ts';
import { type World, world } from '../testing/world.ts';
import { forgetDeletedAccounts } from './forget-accounts.ts';

let w: World;
let mongo: MongoClient;
beforeAll(async () => {
  w = await world();
  mongo = new MongoClient(w.config.mongodb.uri);
});
afterAll(async () => {
  await mongo.close();
  await w.end();
});

const db = () => mongo.db(w.config.mongodb.database);
const kept = (account: string) => db().collection('idempotency').countDocuments({ account });
const ask = (options = {}) =>
  w.post('/knowledge/faq', { title: 'T' }, { headers: { 'idempotency-key': randomId() }, ...options });

/** The gateway's loop, without its pauses. */
async function forgetting(work: () => Promise<void>) {
  const auth = rpcClient(SERVICES.auth, { address: w.config.services.auth });
  const loop = forgetDeletedAccounts({
    db: db(),
    auth,
    secret: w.config.secret,
    log: createLog('test', 'silent'),
    restMs: 20,
  });
  await loop.start();
  try {
    await work();
  } finally {
    await loop.stop();
    await auth[Symbol.asyncDispose]();
  }
}

test('kept responses of deleted accounts are deleted, however many accounts there are; others stay', async () => {
  await ask();
  await ask();
  await ask({ key: w.other.key });
  expect([await kept(w.account.id), await kept(w.other.id)]).toEqual([2, 1]);
  w.auth.state.deletedAccounts = [...Array.from({ length: 150 }, randomId), w.account.id];
  await forgetting(async () => {
    await until(
      () => kept(w.account.id),
      (count) => count === 0,
    );
  });
  expect(await kept(w.other.id)).toBe(1);
});

test('the response of a request that ends after its account was deleted is not kept', async () => {
  const { entered, open, pass } = gate();
  w.knowledge.state.beforeCreate = pass;
  const late = ask();
  await entered;
  w.auth.state.deletedAccounts = [w.account.id];
  await forgetting(async () => {
    await until(
      () => kept(w.account.id),
      (count) => count === 0,
    );
    open();
    expect((await late).status).toBe(200);
    expect(await kept(w.account.id)).toBe(0);
  });
});
