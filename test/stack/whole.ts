import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { type Bus, KNOWLEDGE_TOPIC } from '@parley/runtime/bus';
import { until } from '@parley/runtime/testing';
// The package behind Jest's `expect`, which also works outside of Jest.
import { expect } from 'expect';
import type { MongoClient } from 'mongodb';
import { must } from '../e2e/api.ts';
import type { Chat, FaqItem, Page } from '../e2e/resources.ts';
import type { Acknowledged } from './load.ts';

/** Ids of the events on the bus that report the end of a training, by item and generation. */
export type Ends = Map<string, Set<string>>;

const endOf = (item: string, generation: number): string => `${item} ${generation}`;

/** Collects the end of every training, from the start of the topic. */
export function hearEnds(bus: Bus): Ends {
  const ends: Ends = new Map();
  bus.subscribe({
    topic: KNOWLEDGE_TOPIC,
    group: 'fault-tests',
    async handle({ value }) {
      const { id, entityId, payload } = fromBinary(EventSchema, value);
      if (payload.case !== 'trainingCompleted' && payload.case !== 'trainingFailed') return;
      const key = endOf(entityId, payload.value.generation);
      ends.set(key, (ends.get(key) ?? new Set()).add(id));
    },
  });
  return ends;
}

/** Expects, after a load has ended, that nothing was lost and nothing is stored twice. */
export async function expectWhole(load: Acknowledged, mongo: MongoClient, ends: Ends): Promise<void> {
  for (const { id } of load.items) {
    await expectOneBuild(mongo, id);
    await expectOneEndEach(mongo, id, ends);
  }
  for (const [id, items] of load.added) await expectAllAdded(load, id, items);
  for (const turns of load.sessions) await expectOneAnswerEach(load, turns);
  await expectFeed(load, mongo);
}

interface FeedEvent {
  id: string;
  number: number;
  type: string;
  data: Record<string, unknown>;
}

async function readFeed({ account }: Acknowledged): Promise<FeedEvent[]> {
  const items: FeedEvent[] = [];
  for (let query = 'limit=100', more = true; more; ) {
    const page = must(await account.api.get<Page<FeedEvent>>(`/events?${query}`));
    items.push(...page.items);
    more = page.has_more;
    query = `limit=100&next_cursor=${page.next_cursor}`;
  }
  return items;
}

/** Expects the begin of every chat, an answer for every turn and an end of every training in the feed, each once, without gaps. */
async function expectFeed(load: Acknowledged, mongo: MongoClient): Promise<void> {
  const chats = load.sessions.filter((turns) => turns.length > 0);
  const wanted = [
    ...chats.flatMap((turns) => [`begun ${turns[0]!.reply.id}`, ...turns.map(() => `answered ${turns[0]!.reply.id}`)]),
  ];
  for (const { id } of load.items) {
    const { generation } = await storedItem(mongo, id);
    for (let each = 1; each <= generation; each++) wanted.push(`trained ${id} ${each}`);
  }
  const ids = new Set(wanted.map((each) => each.split(' ')[1]));
  const relevant = (all: FeedEvent[]) => all.flatMap(said).filter((each) => ids.has(each.split(' ')[1]));
  const feed = await until(
    () => readFeed(load),
    (all) => relevant(all).length >= wanted.length,
    60_000,
    500,
  );
  expect(relevant(feed).sort()).toEqual(wanted.sort());
  expect(feed.map(({ number }) => number)).toEqual(feed.map((_, i) => i + 1));
  expect(new Set(feed.map(({ id }) => id)).size).toBe(feed.length);
}

function said({ type, data }: FeedEvent): string[] {
  if (type === 'chat.begun') return [`begun ${data['chat_id']}`];
  if (type === 'answer.given' || type === 'answer.not_found') return [`answered ${data['conversation_id']}`];
  if (type === 'training.finished' || type === 'training.failed')
    return [`trained ${data['knowledge_id']} ${data['generation']}`];
  return [];
}

const collection = (mongo: MongoClient, name: string) => mongo.db('parley_corpus').collection<{ _id: string }>(name);

interface StoredItem {
  generation: number;
  live: { build: string; chunks: number; file: { sha256: string; bytes: number } };
  training: { state: string };
}

const storedItem = async (mongo: MongoClient, id: string) =>
  (await collection(mongo, 'knowledge_items').findOne({ _id: id })) as unknown as StoredItem;

/** Expects a live build that exists, with the file that was uploaded for it. */
export async function expectOneBuild(mongo: MongoClient, id: string): Promise<void> {
  const { live, training } = await storedItem(mongo, id);
  expect(training.state).toBe('idle');
  const build = await collection(mongo, 'builds').findOne({ _id: live.build, retired_at: null });
  expect(build).toMatchObject({ file: live.file });
  expect(live.chunks).toBeGreaterThan(0);
}

/** Expects exactly one event about the end of each training. */
export async function expectOneEndEach(mongo: MongoClient, id: string, ends: Ends): Promise<void> {
  const { generation } = await storedItem(mongo, id);
  const counts = await until(
    async () => Array.from({ length: generation }, (_, i) => ends.get(endOf(id, i + 1))?.size ?? 0),
    (found) => !found.includes(0),
    60_000,
  );
  expect(counts).toEqual(counts.map(() => 1));
}

async function expectAllAdded({ account }: Acknowledged, id: string, added: FaqItem[]): Promise<void> {
  const stored = await account.api.all<FaqItem>(`/knowledge/${id}/faq-items`);
  const others = 1; // The FAQ started with one.
  expect(stored.length).toBe(added.length + others);
  expect(stored.map((item) => item.id)).toEqual(expect.arrayContaining(added.map((item) => item.id)));
}

async function expectOneAnswerEach({ account, chatbot }: Acknowledged, turns: Acknowledged['sessions'][number]) {
  expectTurns(must(await account.api.get<Chat>(`/chatbot/${chatbot.id}/chats/${turns[0]!.reply.id}`)), turns);
}

/** Expects exactly these questions and replies, in order. */
export function expectTurns(
  { conversation }: Pick<Chat, 'conversation'>,
  turns: readonly { question: string; reply: { message: string } }[],
): void {
  expect(conversation).toEqual(
    turns.flatMap(({ question, reply }) => [
      { role: 'user', message: question },
      { role: 'assistant', message: reply.message },
    ]),
  );
}
