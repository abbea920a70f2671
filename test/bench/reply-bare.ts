/**
 * The minimum that answers a question like Parley: Koa, the driver, the embedding model, the model server. It does the same
 * reads and writes, one after the other, and reports how long each took. BARE contains its settings as JSON.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createEmbedders } from '@parley/corpus';
import { storedChunks } from '@parley/corpus/testing';
import { createDirectoryStore } from '@parley/runtime/objects';
import Koa from 'koa';
import { MongoClient } from 'mongodb';
import { keepAlive } from './keep-alive.ts';
import { tellReady } from './program.ts';

export interface BareSettings {
  uri: string;
  /** Directory of the object store. */
  objectsDir: string;
  modelDir: string;
  /** URL of the model server. */
  baseUrl: string;
  account: string;
  chatbot: string;
}

/** Milliseconds. */
export type BareSteps = Record<'assistant' | 'question' | 'embed' | 'search' | 'model' | 'answer', number>;

interface Stored {
  _id: string;
  [field: string]: unknown;
}

const { uri, objectsDir, modelDir, baseUrl, account, chatbot } = JSON.parse(process.env['BARE']!) as BareSettings;
const client = new MongoClient(uri, { retryWrites: false });
const assistants = client.db('parley_assistants').collection<Stored>('assistants');
const items = client.db('parley_corpus').collection<Stored>('knowledge_items');
const threads = client.db('bare').collection<Stored>('threads');
const entries = client.db('bare').collection<Stored>('entries');
await entries.createIndex({ thread: 1, n: 1 }, { unique: true });

const embedder = createEmbedders({ use: 'local', modelDir }).current!;
const send = keepAlive(1);
const trained = await items.find({ account, live: { $type: 'object' } }).toArray();
const objects = createDirectoryStore({ dir: objectsDir });
const builds = trained.map(({ live }) => storedChunks(objects, account, (live as { build: string }).build));
const chunks = (await Promise.all(builds)).flat();

function best(query: Float32Array) {
  const scored = chunks.map((chunk) => {
    let score = 0;
    for (let i = 0; i < query.length; i++) score += chunk.vector![i]! * query[i]!;
    return { chunk, score };
  });
  return scored.sort((a, b) => b.score - a.score).slice(0, 6);
}

/** The concatenated content of all events of the answer. */
async function ask(question: string, passages: string): Promise<string> {
  const messages = [
    { role: 'system', content: 'Answer from the passages.' },
    { role: 'user', content: `${passages}\n\n${question}` },
  ];
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ messages, stream: true });
  const events = await send(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  return [...events.matchAll(/^data: (\{.*)$/gm)]
    .map(([, event]) => JSON.parse(event!).choices[0].delta.content ?? '')
    .join('');
}

async function answer(message: string): Promise<{ message: string; steps: BareSteps }> {
  const marks = [performance.now()];
  const mark = () => marks.push(performance.now());
  const assistant = (await assistants.findOne({ _id: chatbot, account, deleted_at: null }))!;
  mark();
  const [thread, _id] = [randomUUID(), randomUUID()];
  const question = { _id, thread, account, n: 1, by: 'user', text: message, at: new Date() };
  await threads.insertOne({ _id: thread, account, assistant: chatbot, n: 1, last: question });
  entries.insertOne(question).catch(() => {});
  mark();
  const vector = await embedder.embedQuery(message);
  mark();
  const ids = (assistant['knowledge'] as { item: string }[]).map(({ item }) => item);
  await items.find({ _id: { $in: ids }, account, deleted_at: null }, { projection: { live: 1 } }).toArray();
  const passages = best(vector).map(({ chunk }, i) => `[${i + 1}] ${chunk.title}\n${chunk.text}`);
  mark();
  const completion = await ask(message, passages.join('\n\n'));
  mark();
  const filter = { _id: thread, account };
  const { last } = (await threads.findOne(filter))! as unknown as { last: typeof question };
  const reply = { _id: randomUUID(), thread, account, n: 2, by: 'ai', text: completion, at: new Date() };
  const { _id: lastId, ...rest } = last;
  await entries.updateOne({ _id: lastId }, { $setOnInsert: rest }, { upsert: true });
  await threads.findOneAndUpdate({ ...filter, n: 1 }, { $set: { n: 2, last: reply } });
  entries.insertOne(reply).catch(() => {});
  mark();
  const names = ['assistant', 'question', 'embed', 'search', 'model', 'answer'];
  const steps = Object.fromEntries(names.map((name, i) => [name, marks[i + 1]! - marks[i]!])) as BareSteps;
  return { message: completion, steps };
}

const app = new Koa().use(async (ctx) => {
  const { message } = JSON.parse(await text(ctx.req));
  ctx.body = { success: true, data: await answer(message) };
});
const server = app.listen(0, '127.0.0.1', () => tellReady((server.address() as AddressInfo).port));
