import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { runAccountProgram } from '@parley/auth';
import { ConversationsService, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { callAs, rpcClient } from '@parley/runtime/rpc';
import { gate, until } from '@parley/runtime/testing';
import type { Account } from './account.ts';
import { must } from './api.ts';
import { modelServer } from './model-server.ts';
import { pausedUpload } from './paused-upload.ts';
import type { ApiKey, Chatbot } from './resources.ts';
import { type Held, held, html, type Site, site } from './site.ts';
import { type Traces, tracesOf } from './traces.ts';
import { world } from './world.ts';

const PROGRAM = fileURLToPath(new URL('../../deploy/embedded/src/account.ts', import.meta.url));
const ORE = 'Which ore is kept in the vault?';

const model = await modelServer();
model.chat = 'It holds zinnwaldite [1].';
const variables = {
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: 'sk-of-this-test',
  OPENAI_EMBEDDING_MODEL: 'words',
};
const w = await world({ embeddings: 'openai', variables });
const sites: Site[] = [];
afterAll(async () => {
  await w.stop();
  for (const pages of sites) await pages[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

/** The operator's program, with its exit code and output. */
async function program(...args: string[]) {
  const wrote = { stdout: '', stderr: '' };
  const writer = (name: keyof typeof wrote) => ({
    write: (text: string) => {
      wrote[name] += text;
    },
  });
  const code = await runAccountProgram({
    args,
    command: 'npm run account --',
    find: async () => ({ auth: w.parley.endpoints.auth, secret: w.parley.secret, data: () => w.parley.endpoints }),
    away: 'No Parley runs.',
    output: { stdout: writer('stdout'), stderr: writer('stderr') },
  });
  return { code, ...wrote };
}

/** Starts the program in a process of its own, as `npm run account` does, and kills it once it says something. */
async function killedProgram(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, PARLEY_DATA: w.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await closed;
}

interface Tenant {
  account: Account;
  id: string;
  name: string;
  chatbot: Chatbot;
  /** Words that are in the account's data, and nowhere else. */
  words: string[];
  slow: Held;
  website: { id: string };
  /** The upload_url of a document without a file. */
  uploadUrl: string;
  headers: { 'Idempotency-Key': string };
}

/** An account with something of everything; its words begin with the tag. */
async function tenant(tag: string): Promise<Tenant> {
  const word = (text: string) => `${tag}${text}`;
  const name = word('Mining');
  const account = await w.account(name);
  const { api } = account;
  const { id } = must(await api.get<{ account: { id: string } }>('/me')).account;

  const slow = held(html(word('Slow'), word('Wolframite')));
  const pages = await site({
    '/': html(word('Fast'), `The mine of ${word('Cassiterite')} opened long ago.`, ['/slow']),
    '/slow': slow.served,
  });
  sites.push(pages);
  const website = await account.website(pages.url);
  const faq = await account.faq(word('Ores'), { [ORE]: `The vault holds zinnwaldite. ${word('Kunzite')} is outside.` });
  await account.train(faq);
  const chatbot = await account.chatbot(faq);
  await openThreads(id, word);
  const { id: document, upload_url } = must(
    await api.post<{ id: string; upload_url: string }>('/knowledge/document', {
      file_type: 'text/plain',
      file_name: word('File'),
    }),
  );
  const file = await fetch(upload_url, { method: 'PUT', body: word('Written') });
  expect(file.status).toBe(200);
  must(await api.post(`/knowledge/${document}/finalize`));
  const pending = must(await api.post<{ upload_url: string }>('/knowledge/document', { file_type: 'text/plain' }));

  const headers = { 'Idempotency-Key': randomUUID() };
  must(await api.post(`/chatbot/${chatbot.id}/reply`, { message: `${ORE} ${word('Asked')}` }, headers));
  must(await api.post('/personas', { name: word('Persona'), image_url: 'https://example.org/p.png' }));
  must(await api.post<ApiKey>('/api-keys', { name: word('Key'), scopes: ['CHATBOTS_WRITE'] }));
  const words = [
    ...['Form', 'Inbox', 'Client', 'Complaint', 'Subject', 'File', 'Written', 'Uploaded'],
    ...['Mining', 'Slow', 'Wolframite', 'Fast', 'Cassiterite', 'Ores', 'Kunzite', 'Asked', 'Persona', 'Key'],
  ];
  const uploadUrl = pending.upload_url;
  return { account, id, name, chatbot, website, slow, uploadUrl, headers, words: words.map(word) };

  /** A ticket form and an inbox, each with a conversation of a blocked client. */
  async function openThreads(accountId: string, word: (text: string) => string) {
    const form = must(await api.post<{ id: string }>('/ticket-forms', { title: word('Form') }));
    const alias = `${tag.toLowerCase()}-mail`;
    const inbox = must(await api.post<{ id: string }>('/email-inboxes', { alias, title: word('Inbox') }));
    await using conversations = rpcClient(ConversationsService, { address: w.parley.endpoints.conversations });
    const as = () => callAs(w.parley.secret, { account: accountId, operation: randomUUID() });
    const parents = [
      [ThreadKind.TICKET, form.id],
      [ThreadKind.EMAIL, inbox.id],
    ] as const;
    for (const [kind, assistantId] of parents) {
      const said = { fromEmail: `${word('Client')}@example.org`, fromName: word('Client'), message: word('Complaint') };
      const subject = kind === ThreadKind.EMAIL ? word('Subject') : '';
      const { thread } = await conversations.openThread({ kind, assistantId, subject, ...said }, as());
      await conversations.blockThread({ thread: { kind, assistantId, id: thread!.id } }, as());
    }
  }
}

/** Starts a training of the website, and waits until a page is stored and the trainer waits for the next. */
async function trainForever({ account, website, slow, id }: Tenant) {
  must(await account.api.put(`/knowledge/${website.id}/train`));
  await slow.arrived;
  const pageIsStored = async () => w.mongo.db('parley_corpus').collection('sub_pages').countDocuments({ account: id });
  await until(pageIsStored, (count) => count > 0);
}

const traces = ({ id, words }: Tenant): Promise<Traces> => tracesOf(w, id, words);
const noTraces = (deleted: Tenant) =>
  until(
    () => traces(deleted),
    (found) => Object.keys(found).length === 0,
    90_000,
  );

test('an account that is deleted during a reply, a training and an upload leaves nothing, and another one goes on working', async () => {
  const [acme, rival] = [await tenant('Acme'), await tenant('Rival')];
  const stored = await traces(acme);
  expect(Object.keys(stored)).toEqual(
    expect.arrayContaining([
      'parley_auth.accounts',
      'parley_auth.api_keys',
      'parley_auth.personas',
      'parley_assistants.aliases',
      'parley_assistants.assistants',
      'parley_conversations.blocks',
      'parley_conversations.entries',
      'parley_conversations.evidence',
      'parley_conversations.list_versions',
      'parley_conversations.threads',
      'parley_corpus.builds',
      'parley_corpus.faq_items',
      'parley_corpus.knowledge_items',
      'parley_gateway.idempotency',
    ]),
  );

  const answering = gate();
  model.held = answering.opened;
  const asked = model.prompts.length;
  const reply = acme.account.api.post(`/chatbot/${acme.chatbot.id}/reply`, { message: ORE }).catch(() => undefined);
  await until(
    () => model.prompts.length,
    (count) => count > asked,
  );
  await trainForever(acme);
  const upload = pausedUpload(acme.uploadUrl, 'AcmeUploaded');

  const done = await program('delete', acme.id);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const lines = done.stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`Deleting the account ${acme.id}  ${acme.name}`);
  expect(lines.slice(2)).toEqual([
    expect.stringMatching(/^assistants: deleted \d+ documents/),
    expect.stringMatching(/^conversations: deleted \d+ documents/),
    expect.stringMatching(/^knowledge: deleted \d+ documents/),
    expect.stringMatching(/^events: deleted \d+ documents/),
    'Deleted.',
  ]);
  // The reply, the training and the upload end only now.
  upload.finish();
  expect(await upload.answered).toBe(404);
  answering.open();
  acme.slow.release();
  await reply;
  await until(
    () => acme.account.api.get('/me'),
    ({ status }) => status === 401,
  );
  await noTraces(acme);
  expect((await program('list')).stdout).not.toContain(acme.id);
  expect(await program('delete', acme.id)).toMatchObject({ code: 1, stderr: `There is no account ${acme.id}.\n` });

  rival.slow.release();
  expect((await rival.account.train(rival.website)).training_failed_with).toBe(null);
  const { message, sources } = await rival.account.ask(rival.chatbot, ORE);
  expect(message).toMatch(/^It holds zinnwaldite \[1\]\./);
  expect(sources).toHaveLength(1);
  const replayed = await rival.account.api.post(
    `/chatbot/${rival.chatbot.id}/reply`,
    { message: `${ORE} RivalAsked` },
    rival.headers,
  );
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(must(await rival.account.api.get<{ total: number }>('/personas')).total).toBe(1);
});

test('a deletion that is interrupted shows in the list, and running it again finishes it', async () => {
  const lasting = await tenant('Lasting');
  await w.parley.services.conversations.stop();
  const interrupted = await program('delete', lasting.id);
  expect(interrupted).toMatchObject({
    code: 1,
    stderr: 'The conversations service does not answer. Run the command again: it goes on from here.\n',
  });
  expect(interrupted.stdout).toMatch(/^assistants: deleted \d+ documents and files$/m);
  await w.parley.services.conversations.start();
  const left = await traces(lasting);
  expect(Object.keys(left)).toEqual(expect.arrayContaining(['parley_auth.accounts', 'parley_conversations.threads']));
  expect(Object.keys(left)).not.toContain('parley_assistants.assistants');
  await until(
    () => lasting.account.api.get('/me'),
    ({ status }) => status === 401,
  );

  await killedProgram('delete', lasting.id);
  const listed = (await program('list')).stdout.split('\n').find((line) => line.startsWith(lasting.id));
  if (listed !== undefined) expect(listed).toMatch(/ {2}\(being deleted; to go on: delete /);

  // The killed one may have finished everything by then.
  expect(await program('delete', lasting.id)).toMatchObject({ code: listed === undefined ? 1 : 0 });
  await noTraces(lasting);
});

test('unknown ids are refused with a sentence, and wrong usage with the usage text', async () => {
  const unknown = randomUUID();
  const [nobody, malformed, usage] = await Promise.all([
    program('delete', unknown),
    program('delete', 'Acme'),
    program('delete'),
  ]);
  expect(nobody).toEqual({ code: 1, stdout: '', stderr: `There is no account ${unknown}.\n` });
  expect(malformed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no account Acme\. /) });
  expect(usage).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: .* delete ID/s) });
});
