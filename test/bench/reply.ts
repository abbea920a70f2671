import { createMetrics, type Metrics } from '@parley/runtime';
import { MongoClient } from 'mongodb';
import { keepAlive } from './keep-alive.ts';
import { localEmbedders, watched } from './local-model.ts';
import { openManual } from './manual.ts';
import { median, quantile } from './measure.ts';
import { startProgram } from './program.ts';
import type { ReplyModel } from './reply-model.ts';
import { startSystem, trainWebsite } from './system.ts';
import type { Bench, Table } from './table.ts';

/** About 1,000 chunks. */
const SIZE = { pages: 100, sections: 10, sentences: 3 };
/** A service's first thousand replies are slower than all that follow: V8 is still compiling. */
const WARM_UP = 1000;
const REPLIES = 200;
const BOUND_MS = 15;

/** What a reply takes beside the model that writes it, step by step. */
export const reply: Bench = { name: 'reply', run };

/** When something began and ended, in milliseconds on this process's clock. */
interface Span {
  name: string;
  began: number;
  ended: number;
}

async function run(): Promise<Table> {
  const spans: Span[] = [];
  await using model = await startProgram<ReplyModel>(new URL('./reply-model.ts', import.meta.url));
  const stub = model.ready;
  await using manual = await openManual(SIZE);
  await using parley = await startSystem({
    variables: { EMBEDDINGS: 'local', EMBEDDING_MODEL_DIR: 'given', OPENAI_BASE_URL: stub.baseUrl, ...crawl },
    shared: { metrics: recording(spans), embedders: watched(await localEmbedders(), timed(spans)) },
  });
  const item = await trainWebsite(parley, manual.url);
  const chatbot = await parley.send<{ id: string }>('POST', '/chatbots', { title: 'Help' });
  await parley.send('PUT', `/chatbot/${chatbot.id}/knowledge`, { knowledge_id: item.id });

  const mongo = await new MongoClient(parley.uri).connect();
  const ask = keepAlive(1);
  const steps: Steps[] = [];
  for (let i = 0; i < WARM_UP + REPLIES; i++) {
    const message = manual.questions[(i * 37) % manual.questions.length]!;
    spans.length = 0;
    const whole = await time(() =>
      parley.send<{ sources: unknown[] }>('POST', `/chatbot/${chatbot.id}/reply`, { message }),
    );
    const alone = await time(() => ask(`${stub.baseUrl}/chat/completions`, { method: 'POST', body: stub.request }));
    const write = await time(() => mongo.db('bench').collection('writes').insertOne({ message }));
    if (i >= WARM_UP) steps.push({ ...stepsOf(whole, alone, spans), write });
  }
  await mongo.close();
  return table(steps);
}

const crawl = { CRAWL_ALLOW: '127.0.0.0/8', CRAWL_DELAY_MS: '0' };

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Metrics that also keep each call of one service to another. */
function recording(spans: Span[]): Metrics {
  const metrics = createMetrics();
  return {
    ...metrics,
    rpc(side, service, method, code, seconds) {
      metrics.rpc(side, service, method, code, seconds);
      const ended = performance.now();
      if (side === 'client') spans.push({ name: method, began: ended - seconds * 1000, ended });
    },
  };
}

const timed =
  (spans: Span[]) => (embedder: { embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> }) => ({
    async embedQuery(text: string, signal?: AbortSignal) {
      const began = performance.now();
      const vector = await embedder.embedQuery(text, signal);
      spans.push({ name: 'embed', began, ended: performance.now() });
      return vector;
    },
  });

type Steps = ReturnType<typeof stepsOf> & { write: number };

function stepsOf(whole: number, alone: number, spans: readonly Span[]) {
  const span = (name: string) => {
    const found = spans.find((each) => each.name === name);
    if (!found) throw new Error(`a reply went without ${name}`);
    return found;
  };
  const ms = ({ began, ended }: Omit<Span, 'name'>) => ended - began;
  const [question, search, embed, answer] = [span('BeginTurn'), span('Search'), span('embed'), span('AnswerTurn')];
  const ready = Math.max(question.ended, search.ended);
  const model = answer.began - ready;
  return {
    whole,
    embed: ms(embed),
    question: ms(question),
    search: ms(search) - ms(embed),
    /** Search has still to be waited for, or the question to be stored, when the other is done. */
    both: ready - Math.min(question.began, search.began),
    stub: alone,
    model: model - alone,
    answer: ms(answer),
    rest: whole - (answer.ended - Math.min(question.began, search.began)),
    added: whole - ms(embed) - alone,
  };
}

function table(replies: readonly Steps[]): Table {
  const row = (name: string, step: keyof Steps) => {
    const values = replies.map((each) => each[step]);
    const middle = median(values);
    return [
      name,
      middle.toFixed(1),
      quantile(values, 0.95).toFixed(1),
      (middle / median(replies.map((r) => r.whole))).toFixed(2),
    ];
  };
  const added = median(replies.map((each) => each.added));
  return {
    about: `POST /v1/chatbot/:id/reply from a manual of ${SIZE.pages * SIZE.sections} chunks, ${REPLIES} questions one after the other, after ${WARM_UP} to warm up; services and client in one process, the embedding model in a thread of it, a stub of the model's server in a process of its own. Calls are timed at the services that make them, embedding at the knowledge service. Ratios are to the whole reply.`,
    head: ['step', 'median, ms', 'p95, ms', 'ratio'],
    rows: [
      row('the whole reply', 'whole'),
      row('embed the question', 'embed'),
      row('search, beside embedding', 'search'),
      row('store the question (while searching)', 'question'),
      row('both of these, embedding included', 'both'),
      row('the stub of the model, asked directly', 'stub'),
      row('call the model, beside the stub', 'model'),
      row('store the answer', 'answer'),
      row('the rest: gateway, HTTP, the assistant', 'rest'),
      row('for scale: one write of the database', 'write'),
      row('added: all but embedding and the stub', 'added'),
    ],
    bound: {
      says: `at most ${BOUND_MS} ms at the median beyond embedding the question and the stub; it is ${added.toFixed(1)} ms.`,
      met: added <= BOUND_MS,
    },
  };
}
