import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { type FreshDatabase, freshDatabase } from '@parley/runtime/testing';
import { runProgram, startAuth, variablesFor } from './auth.fixture.ts';
import { readConfig } from './config.ts';
import { ALL_SCOPES } from './domain/scopes.ts';

/** Chosen by the installer, so without a valid checksum. */
const KEY = `parley_${'Kq7'.repeat(12)}xY`;
const ANOTHER = `parley_${'aB3'.repeat(12)}zz`;

let database: FreshDatabase;
beforeEach(() => {
  database = freshDatabase();
});
afterEach(() => database.drop());

const variables = (key = KEY) => ({ ...variablesFor(database), FIRST_ACCOUNT_KEY: key, FIRST_ACCOUNT_NAME: 'Acme' });

test('replicas that start at once make one account, whose key holds every scope', async () => {
  await using first = await startAuth({ ...variables(), FIRST_ACCOUNT_KEY: '' });
  expect(await first.accounts()).toEqual([]);
  const replicas = await Promise.all([1, 2, 3].map(() => startAuth(variables())));
  const answers = await Promise.all(replicas.map((replica) => replica.verify(KEY)));
  for (const { account, apiKey } of answers) {
    expect(account).toMatchObject({ name: 'Acme', id: answers[0]!.account!.id });
    expect(apiKey!.scopes).toHaveLength(ALL_SCOPES.length);
  }
  expect(await first.accounts()).toHaveLength(1);
  await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()));
});

test('a first key that was revoked stays revoked when the service starts again', async () => {
  {
    await using auth = await startAuth(variables());
    const { account, apiKey } = await auth.verify(KEY);
    await auth.revoke(account!.id, apiKey!.id);
  }
  await using again = await startAuth(variables());
  await expect(again.verify(KEY)).rejects.toMatchObject({ rawMessage: 'This API key is not valid.' });
});

test('a changed first key opens the same account, and the previous one stops working', async () => {
  let id: string | undefined;
  {
    await using auth = await startAuth(variables());
    id = (await auth.verify(KEY)).account!.id;
  }
  await using again = await startAuth(variables(ANOTHER));
  expect((await again.verify(ANOTHER)).account!.id).toBe(id);
  await expect(again.verify(KEY)).rejects.toMatchObject({ rawMessage: 'This API key is not valid.' });
});

test('a key without a valid checksum is refused unless it is the configured one', async () => {
  await using auth = await startAuth(variables());
  await expect(auth.verify(ANOTHER)).rejects.toMatchObject({ rawMessage: 'This API key is not valid.' });
});

test.each([
  ['FIRST_ACCOUNT_KEY', 'hunter2', 'FIRST_ACCOUNT_KEY must be parley_ and 38 letters and digits.'],
  ['FIRST_ACCOUNT_KEY', `${KEY}0`, 'FIRST_ACCOUNT_KEY must be parley_ and 38 letters and digits.'],
  ['FIRST_ACCOUNT_NAME', 'x'.repeat(201), 'FIRST_ACCOUNT_NAME is not valid: name must have at most 200 characters.'],
])('%s of a wrong shape is refused at the start, in a sentence that does not show it', (variable, value, sentence) => {
  expect(() => readConfig(readEnv({ ...variables(), [variable]: value }))).toThrow(sentence);
  expect(sentence).not.toContain(value);
});

test('a process that creates the first account does not log its key', async () => {
  const { child, ended } = runProgram('main.ts', [], { ...variables(), LOG_LEVEL: 'debug' });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  while (!log.includes('"started"')) await once(child.stderr, 'data');
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(KEY.slice(7, 20));
});
