import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { freshDatabase } from '@parley/runtime/testing';
import { runAccountProgram } from './account-program.ts';
import { runProgram, secret, startAuth, variablesFor } from './auth.fixture.ts';
import { readOperatorConfig } from './config.ts';

const database = freshDatabase();
let auth: Awaited<ReturnType<typeof startAuth>>;
beforeAll(async () => {
  auth = await startAuth(variablesFor(database));
});
afterAll(async () => {
  await auth[Symbol.asyncDispose]();
  await database.drop();
});

/** In this process, which is much faster than starting one. */
async function here(args: string[], variables: Record<string, string> = {}) {
  const wrote = { stdout: '', stderr: '' };
  const writer = (name: keyof typeof wrote) => ({
    write: (text: string) => {
      wrote[name] += text;
    },
  });
  const system = readOperatorConfig(readEnv({ AUTH_ADDRESS: auth.address, PARLEY_SECRET: secret, ...variables }));
  const output = { stdout: writer('stdout'), stderr: writer('stderr') };
  const code = await runAccountProgram({ args, command: '', find: async () => system, away: '', output });
  return { code, ...wrote };
}

const account = (args: string[], variables: Record<string, string> = {}) =>
  runProgram('account.ts', args, { AUTH_ADDRESS: auth.address, PARLEY_SECRET: secret, ...variables }).ended;
const keyOf = (text: string) => /^API key: (\S+) {2}\(shown only this once\)$/m.exec(text)?.[1];

test('the operator creates an account, whose key works, and lists it', async () => {
  const made = await account(['create', 'ACME', 'Inc']);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [, id] = /^Account: (\S+) {2}ACME Inc$/m.exec(made.stdout)!;
  expect((await auth.verify(keyOf(made.stdout)!)).account).toMatchObject({ id, name: 'ACME Inc' });
  expect((await here(['list'])).stdout.split('\n')).toContain(`${id}  ACME Inc`);
});

test('create --once returns the same account, and its new key replaces the previous one', async () => {
  const [first, again] = [await here(['create', '--once', 'Probe']), await here(['create', '--once', 'Probe'])];
  expect([first.code, again.code]).toEqual([0, 0]);
  expect(again.stdout.split('\n')[0]).toBe(first.stdout.split('\n')[0]);
  expect((await auth.verify(keyOf(again.stdout)!)).account!.name).toBe('Probe');
  await expect(auth.verify(keyOf(first.stdout)!)).rejects.toMatchObject({ rawMessage: 'This API key is not valid.' });
  expect((await auth.accounts()).filter(({ name }) => name === 'Probe')).toHaveLength(1);
});

test('create --once after a deletion gives another account, and always the same one', async () => {
  const [, first] = /^Account: (\S+)/.exec((await here(['create', '--once', 'Twice'])).stdout)!;
  await auth.deleteAccount(first!);
  const [again, third] = [await here(['create', '--once', 'Twice']), await here(['create', '--once', 'Twice'])];
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const [, second] = /^Account: (\S+)/.exec(again.stdout)!;
  expect(second).not.toBe(first);
  expect(third.stdout.split('\n')[0]).toBe(again.stdout.split('\n')[0]);
  expect((await auth.verify(keyOf(third.stdout)!)).account!.id).toBe(second);
});

test('an account that is being deleted is listed as such; deleting needs the addresses of the other services', async () => {
  const [, id] = /^Account: (\S+)/.exec((await here(['create', 'Leaving'])).stdout)!;
  const unset = await account(['delete', id!]);
  expect(unset).toEqual({ code: 78, stdout: '', stderr: 'ASSISTANTS_ADDRESS is not set.\n' });
  const nowhere = '127.0.0.1:1';
  const addresses = {
    ASSISTANTS_ADDRESS: nowhere,
    CONVERSATIONS_ADDRESS: nowhere,
    KNOWLEDGE_ADDRESS: nowhere,
    EVENTS_ADDRESS: nowhere,
  };
  expect(await here(['delete', id!], addresses)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`Deleting the account ${id}  Leaving\n`),
    stderr: 'The assistants service does not answer. Run the command again: it goes on from here.\n',
  });
  const listed = (await here(['list'])).stdout.split('\n');
  expect(listed).toContain(`${id}  Leaving  (being deleted; to go on: delete ${id})`);
});

test('wrong usage, a missing secret and an unavailable service each get a message', async () => {
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
