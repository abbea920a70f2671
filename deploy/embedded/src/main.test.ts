import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { killEngine, paste, type Running, request, runProgram, startMain } from './main.fixture.ts';

/** The life of one data directory, in the order of the tests. */
let dataDir: string;
let parley: Running;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-main-'));
  parley = await startMain(dataDir);
});
afterAll(async () => {
  await parley.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const inDataDir = (name: string) => join(dataDir, name);
const readKey = async () => (await readFile(inDataDir('demo-key'), 'utf8')).trim();
const gateway = async () => JSON.parse(await readFile(inDataDir('endpoints.json'), 'utf8')).gateway as string;
const account = (...args: string[]) => runProgram('account.ts', args, { PARLEY_DATA: dataDir }).ended;

/** Creates chatbots one by one until a request fails; returns the titles of those that were acknowledged. */
async function createUntilRefused(whenFive: () => void): Promise<string[]> {
  const acknowledged: string[] = [];
  const [url, key] = [`${await gateway()}/chatbots`, await readKey()];
  for (let i = 0; ; i++) {
    const title = `Bot ${i}`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await request(url, { method: 'POST', headers, body: JSON.stringify({ title }) }).catch(() => null);
    if (!answer || answer.status >= 500) return acknowledged;
    if (acknowledged.push(title) === 5) whenFive();
  }
}

async function titles(): Promise<string[]> {
  const headers = { authorization: `Bearer ${await readKey()}` };
  const { body } = await request(`${await gateway()}/chatbots`, { headers });
  return (body['data'] as { title: string }[]).map(({ title }) => title);
}

test('the first start prints the key once and a command that, pasted, gets a cited answer from the handbook', async () => {
  expect(parley.output).toContain(await readKey());
  expect((await stat(inDataDir('demo-key'))).mode & 0o777).toBe(0o600);
  expect((await stat(inDataDir('endpoints.json'))).mode & 0o777).toBe(0o600);

  const { status, body } = await paste(parley.curl);
  expect(status).toBe(200);
  const { message, sources } = body['data'] as { message: string; sources: { title: string; url: string }[] };
  expect(message).toContain('PARLEY_DATA');
  expect(sources[0]!.title).toContain('Getting started');
  expect(await (await fetch(sources[0]!.url)).text()).toContain('Moving the data folder');
});

test('it prints the links to a page with the demo’s chat, and to a site that carries it', async () => {
  const links = /^Chat with the demo: (\S+)\nor on its website: (\S+)$/m.exec(parley.output)!.slice(1) as [
    string,
    string,
  ];
  const pages = await Promise.all(links.map(async (link) => (await fetch(link)).text()));
  const id = links[0].split('/').at(-1);
  expect(pages[0]).toContain(`<script async src="/widget.js" data-chatbot="${id}" data-page></script>`);
  expect(pages[1]).toContain(`<script async src="${new URL('/widget.js', links[0])}" data-chatbot="${id}"></script>`);
  expect((await fetch(new URL('/widget.js', links[0]))).status).toBe(200);
});

test('the account program creates an account whose key works while the system is running', async () => {
  const made = await account('create', 'ACME', 'Inc');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [, id] = /^Account: (\S+) {2}ACME Inc$/m.exec(made.stdout)!;
  const [, key] = /^API key: (\S+)/m.exec(made.stdout)!;
  const me = await request(`${await gateway()}/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(JSON.stringify(me.body)).toContain(id);
});

test('the dead-letters program finds the bus of the running system, and says so if none is running', async () => {
  const deadLetters = (data: string, ...args: string[]) =>
    runProgram('dead-letters.ts', args, { PARLEY_DATA: data }).ended;
  const [listed, nowhere] = await Promise.all([
    deadLetters(dataDir, 'list'),
    deadLetters(inDataDir('another'), 'list'),
  ]);
  expect(listed).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Start it with: npm start') });
});

test('the programs for the queue of trainings and for tokens read the running system', async () => {
  const run = (name: 'trainings.ts' | 'usage.ts', ...args: string[]) =>
    runProgram(name, args, { PARLEY_DATA: dataDir }).ended;
  const [trainings, usage, wrong] = await Promise.all([run('trainings.ts'), run('usage.ts'), run('usage.ts', 'more')]);
  expect(trainings).toEqual({ code: 0, stdout: 'ACCOUNT  WAITING  OLDEST (S)', stderr: '' });
  expect(usage).toMatchObject({ code: 0, stderr: '' });
  expect(usage.stdout.match(/^ACCOUNT +TOKENS +TODAY +MONTH$/gm)).toHaveLength(1);
  expect(wrong).toMatchObject({ code: 2, stderr: 'Usage: npm run usage -- [model | embeddings]' });
});

test('the seed program opens tickets and emails of any account, which the API lists in the order of the lines', async () => {
  const key = await readKey();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const create = async (path: string, body: object) => {
    const { body: made } = await request(`${await gateway()}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (made['data'] as { id: string }).id;
  };
  const form = await create('/ticket-forms', { title: 'Form' });
  await create('/email-inboxes', { alias: 'help', title: 'Help' });
  const email = 'ann@example.com';
  const lines = [
    { kind: 'ticket', parent: { id: form }, email, name: 'Ann', message: 'First' },
    { kind: 'email', parent: { id: 'help' }, email, subject: 'Hi', message: 'Second' },
    { kind: 'ticket', parent: { id: form }, email, message: 'Third' },
  ].map((line) => `${JSON.stringify(line)}\n`);
  const seed = (input: string, data = dataDir) => runProgram('seed.ts', [], { PARLEY_DATA: data }, input).ended;
  const seeded = await seed(lines.join(''));
  expect(seeded).toMatchObject({ code: 0, stderr: '' });
  const ids = seeded.stdout.split('\n');
  expect(ids).toHaveLength(3);
  const { body } = await request(`${await gateway()}/ticket-form/${form}/tickets`, { headers });
  expect((body['data'] as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  expect(await seed(lines[0]!, inDataDir('another'))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No Parley runs .* npm start$/),
  });
});

test('a taken port gets a message that says what to do', async () => {
  const { port } = new URL(await gateway());
  const taken = await runProgram('main.ts', [], { PARLEY_DATA: inDataDir('another'), PORT: port }).ended;
  expect(taken.code).toBe(1);
  expect(taken.stderr).toMatch(new RegExp(`^Port ${port} is taken by another program\\. .* PORT=\\d+ npm start$`));
});

test('when the engine dies, Parley says so and exits; the next start has every acknowledged write and does not print the key', async () => {
  const acknowledged = await createUntilRefused(() => killEngine(dataDir));
  const { code, stderr } = await parley.ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('The embedded database has died.')]);

  const key = await readKey();
  parley = await startMain(dataDir);
  expect(await titles()).toEqual(expect.arrayContaining(acknowledged));
  expect(parley.output).not.toContain(key);
  expect(parley.output).not.toContain('Training');
});

test('after kill -9 of everything, the next start has every acknowledged write, and its demo answers', async () => {
  const acknowledged = await createUntilRefused(() => parley.kill('SIGKILL'));
  await parley.ended;
  expect(await account('list')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^No Parley runs .* npm start$/),
  });

  parley = await startMain(dataDir);
  expect(await titles()).toEqual(expect.arrayContaining(acknowledged));
  expect((await paste(parley.curl)).status).toBe(200);
});

test('Ctrl-C stops it cleanly and removes its endpoints', async () => {
  expect(await parley.kill('SIGINT')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/\nStopped\./),
  });
  await expect(access(inDataDir('endpoints.json'))).rejects.toThrow('ENOENT');
});
