import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gate, residentMib } from '@parley/runtime/testing';
import { eventReader } from '../../gateway/src/testing/event-stream.ts';
import { must } from '../e2e/api.ts';
import { type ModelServer, modelServer } from '../e2e/model-server.ts';
import { UNLIMITED, type VisitorReply, visitorOf } from '../e2e/visitor.ts';
import { type Gateway, startApart } from './apart.ts';
import { median, quantile, repeat } from './measure.ts';
import { PLENTY, type System, startSystem, trainItem } from './system.ts';
import { type Bench, type Table, UsageError } from './table.ts';

const STREAMS = 500;
const USAGE = 'Option of channels: --streams, a whole number from 1.';
const WARM_UP = 50;
/** Visitors who wait for their first sentence at a time; the next one comes when one has it. */
const WAITING = 16;
const FIRST_SENTENCE_MS = 1_000;
const SENTENCES = ['It opens at nine in the evening [1]. ', 'Children pay nothing [1].'];
const QUESTION = 'When does the observatory open?';
const FAQ_ANSWER = 'It opens at nine in the evening. Children pay nothing.';
const REPEAT_AFTER_MS = 1_000;
const MAX_REPEATS = 60;
const KIB = 1024;
/** The machine may be busy. */
const PATIENT = { REQUEST_TIMEOUT_SECONDS: '120' };

/** Many visitors at a time, whose answers are all still being written. */
export const channels: Bench = { name: 'channels', run };

function streamsOf([option, value = '', ...more]: readonly string[]): number {
  if (option === undefined) return STREAMS;
  if (option !== '--streams' || !/^[1-9]\d{0,4}$/.test(value) || more.length > 0) throw new UsageError(USAGE);
  return Number(value);
}

async function run(options: readonly string[]): Promise<Table> {
  const streams = streamsOf(options);
  await using model = await modelServer();
  model.chat = SENTENCES;
  await using parley = await startSystem({ variables: PATIENT });
  const chatbot = await createChatbot(parley);
  await using apart = await startApart(
    { ...parley.parley, uri: parley.uri, objectsDir: parley.objectsDir },
    ['knowledge', 'conversations', 'assistants'],
    {
      ...{ ...UNLIMITED, REPLIES_AT_ONCE: PLENTY, REPLIES_AT_ONCE_PER_ASSISTANT: PLENTY, MODEL_TOKENS_PER_DAY: PLENTY },
      ...{ OPENAI_BASE_URL: model.baseUrl, REPLY_TIMEOUT_SECONDS: '600', LOG_LEVEL: 'error', ...PATIENT },
    },
  );
  const place = { model, parley, chatbot };
  await round({ ...place, gateways: [apart] }, WARM_UP);
  const { firsts } = await openStreams(model, streams, (_, begun) => askModel(model, begun));
  const alone = await round({ ...place, gateways: [apart] }, streams);
  const doomed = await apart.another();
  await round({ ...place, gateways: [doomed] }, WARM_UP);
  const killed = await round({ ...place, gateways: [doomed, apart] }, streams, doomed.kill);
  return table(streams, firsts, {
    'one gateway': alone,
    'two gateways, one killed while all streams are open': killed,
  });
}

interface Chatbot {
  id: string;
  public_id: string;
}

async function createChatbot({ send, ...parley }: System): Promise<Chatbot> {
  const { id } = await send<{ id: string }>('POST', '/knowledge/faq', { title: 'Observatory' });
  await send('POST', `/knowledge/${id}/faq-item`, { question: QUESTION, answer: FAQ_ANSWER });
  await trainItem({ send, ...parley }, id);
  const chatbot = await send<Chatbot>('POST', '/chatbots', { title: 'Help' });
  await send('PUT', `/chatbot/${chatbot.id}/knowledge`, { knowledge_id: id });
  return chatbot;
}

interface Place {
  model: ModelServer;
  parley: System;
  chatbot: Chatbot;
  /** Visitors come to each in turn; the memory of the first one is measured. */
  gateways: readonly Gateway[];
}

interface Round {
  /** Milliseconds to the first sentence of each stream. */
  firsts: number[];
  /** Streams without their whole answer. */
  lost: number;
  /** Streams that were repeated, since their connection broke. */
  repeated: number;
  modelCalls: number;
  chats: number;
  /** In all of these chats. */
  messages: number;
  /** Memory that an open stream adds to its gateway. */
  kibEach: number;
}

/** Asks as that many new visitors. */
async function round(
  place: Place,
  streams: number,
  whenOpen = async (): Promise<unknown> => undefined,
): Promise<Round> {
  const { model, parley, chatbot, gateways } = place;
  const { pid } = gateways[0]!;
  const chatsSoFar = async () =>
    (await parley.send<{ total: number }>('GET', `/chatbot/${chatbot.id}/chats?limit=1`)).total;
  const before = { calls: model.prompts.length, chats: await chatsSoFar(), mib: residentMib(pid) };
  let mib = 0;
  const { firsts, answers } = await openStreams(
    model,
    streams,
    (i, begun) => askParley(place, i, begun),
    async () => {
      mib = residentMib(pid) - before.mib;
      await whenOpen();
    },
  );
  const replies = answers.flatMap(({ reply }) => reply ?? []);
  let messages = 0;
  for (const { visitor_token: token } of replies) {
    const visitor = visitorOf(gateways.at(-1)!.url, chatbot.public_id, { token });
    messages += must(await visitor.mine()).conversation.length;
  }
  return {
    firsts,
    lost: streams - replies.filter(({ message }) => message.startsWith(SENTENCES.join(''))).length,
    repeated: answers.filter(({ repeats }) => repeats > 0).length,
    modelCalls: model.prompts.length - before.calls,
    chats: (await chatsSoFar()) - before.chats,
    messages,
    kibEach: (mib * KIB * gateways.length) / streams,
  };
}

/**
 * Opens streams; none of them ends before all have begun, and `whenOpen` is done.
 *
 * @param ask calls `begun` with the first sentence
 */
async function openStreams<T>(
  model: ModelServer,
  streams: number,
  ask: (i: number, begun: () => void) => Promise<T>,
  whenOpen = async (): Promise<unknown> => undefined,
) {
  const held = gate();
  model.beforePart = (part) => (part === 0 ? sleep(FIRST_SENTENCE_MS) : held.opened);
  const firsts: number[] = [];
  const ends: Promise<T>[] = [];
  async function open() {
    const begun = gate();
    const from = performance.now();
    const end = ask(ends.length, begun.open);
    ends.push(end);
    await Promise.race([begun.opened, end]);
    firsts.push(performance.now() - from);
  }
  await repeat(open, WAITING, streams);
  await whenOpen();
  held.open();
  return { firsts, answers: await Promise.all(ends) };
}

async function askModel({ baseUrl }: ModelServer, begun: () => void): Promise<void> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: QUESTION }], stream: true });
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', body });
  for await (const _ of response.body!) begun();
}

interface Asked {
  reply?: VisitorReply;
  repeats: number;
}

/** Repeats what breaks off at the next gateway, as a balancer would. There is no reply if that never succeeds. */
async function askParley({ gateways, chatbot }: Place, i: number, begun: () => void): Promise<Asked> {
  const headers = {
    ...{ accept: 'text/event-stream', 'content-type': 'application/json' },
    'idempotency-key': randomUUID(),
    // Each visitor has a connection of their own, and none that the gateway is about to close.
    connection: 'close',
  };
  const body = JSON.stringify({ message: QUESTION });
  for (let repeats = 0; ; repeats++) {
    const { url } = gateways[(i + repeats) % gateways.length]!;
    try {
      const response = await fetch(new URL(`/public/v1/chatbots/${chatbot.public_id}/reply`, url), {
        ...{ method: 'POST', headers, body },
      });
      return { reply: await streamed(response, begun), repeats };
    } catch (error) {
      if (repeats === MAX_REPEATS) {
        process.stderr.write(`Lost: ${error}\n`);
        return { repeats };
      }
      await sleep(REPEAT_AFTER_MS);
    }
  }
}

/** Reads a stream to its end. Rejects if it has none. */
async function streamed(response: Response, begun: () => void): Promise<VisitorReply> {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const events = eventReader(response);
  for (let event = await events.next(); event; event = await events.next()) {
    if (event.event === 'token') begun();
    if (event.event === 'done') return event.data as VisitorReply;
  }
  throw new Error('The stream ended before its answer.');
}

function table(streams: number, stub: number[], rounds: Record<string, Round>): Table {
  const base = quantile(stub, 0.95);
  const rows = Object.entries(rounds).map(([name, { firsts, kibEach, ...counts }]) => [
    name,
    ...[counts.lost, counts.repeated, counts.modelCalls, counts.messages].map(String),
    ...[median(firsts), quantile(firsts, 0.95)].map((ms) => ms.toFixed(0)),
    (quantile(firsts, 0.95) / base).toFixed(2),
    kibEach.toFixed(0),
  ]);
  const isWhole = ({ lost, modelCalls, chats, messages }: Round) =>
    lost === 0 && modelCalls === streams && chats === streams && messages === 2 * streams;
  return {
    about: `${streams} new visitors ask a chatbot for a stream, ${WAITING} at a time, from a model stub that sends its first sentence after ${FIRST_SENTENCE_MS / 1000} s and the second one only once all streams are open. One process per service; client and stub share one. A stream that breaks off is repeated with its Idempotency-Key.`,
    head: [
      'streams through',
      'lost',
      'repeated',
      'model calls',
      'messages stored',
      'first sentence, median ms',
      'p95, ms',
      'p95 to the stub’s',
      'memory of a stream, KiB',
    ],
    rows: [
      ['the stub, called directly', '', '', '', '', median(stub).toFixed(0), base.toFixed(0), '1.00', ''],
      ...rows,
    ],
    bound: {
      says: `no answer may be lost, and each takes one call of the model and one chat with one question and one answer.`,
      met: Object.values(rounds).every(isWhole),
    },
  };
}
