import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { runProgram, secret, startAuth, variablesFor } from './auth.fixture.ts';

const database = freshDatabase();
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(variablesFor(database));
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
  await database.drop();
});

const account = (args: string[], variables: Record<string, string> = {}) =>
  runProgram('account.ts', args, { AUTH_ADDRESS: auth.address, PARLEY_SECRET: secret, ...variables }).ended;
const keyOf = (text: string) => /^API key: (\S+) {2}\(shown only this once\)$/m.exec(text)?.[1];

test('the operator makes an account, whose key works, and lists it', async () => {
  const made = await account(['create', 'ACME', 'Inc']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [, id] = /^Account: (\S+) {2}ACME Inc$/m.exec(made.stdout)!;
  expect((await auth.verify(keyOf(made.stdout)!)).account).toMatchObject({ id, name: 'ACME Inc' });
  expect((await account(['list'])).stdout.split('\n')).toContain(`${id}  ACME Inc`);
});

test('an account made once is the same again, with the same key', async () => {
  const [first, again] = [await account(['create', '--once', 'Probe']), await account(['create', '--once', 'Probe'])];
  expect(first.code).toBe(0);
  expect(again).toEqual(first);
  expect((await auth.accounts()).filter(({ name }) => name === 'Probe')).toHaveLength(1);
});

test('wrong usage, a missing secret and a service that is away each get a sentence', async () => {
  const [usage, unset, away] = await Promise.all([
    account(['create']),
    account(['list'], { PARLEY_SECRET: '' }),
    account(['list'], { AUTH_ADDRESS: '127.0.0.1:1' }),
  ]);
  expect(usage).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Usage: node services\/auth\/src\/account.ts/),
  });
  expect(unset).toEqual({ code: 78, stdout: '', stderr: 'PARLEY_SECRET is not set.\n' });
  expect(away).toEqual({ code: 1, stdout: '', stderr: 'No auth service answers at 127.0.0.1:1.\n' });
});
