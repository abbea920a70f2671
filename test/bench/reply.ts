import { createMetrics, type Metrics } from '@parley/runtime';
import { startApart } from './apart.ts';
import { keepAlive } from './keep-alive.ts';
import { localEmbedders, localModelDir, watched } from './local-model.ts';
import { openManual } from './manual.ts';
import { median, quantile } from './measure.ts';
import { startProgram } from './program.ts';
import type { BareSettings, BareSteps } from './reply-bare.ts';
import type { ReplyModel } from './reply-model.ts';
import { type System, startSystem, trainWebsite } from './system.ts';
import type { Bench, Table } from './table.ts';

/** About 1,000 chunks. */
const SIZE = { pages: 100, sections: 10, sentences: 3 };
/** Warm-up: a process's first replies are slower, because V8 is still compiling. */
const WARM_UP = 300;
const REPLIES = 200;
const BOUND = 3;

/** Measures what Parley adds to a question, step by step, compared with a bare process that does the same. */
export const reply: Bench = { name: 'reply', run };

/** When something began and ended, in milliseconds on this process's clock. */
interface Span {
  name: string;
  began: number;
  ended: number;
}

async function run(): Promise<Table> {
  const spans: Span[] = [];
  await using model = await startProgram<ReplyModel>(module('reply-model'));
  const stub = model.ready;
  await using manual = await openManual(SIZE);
  await using parley = await startSystem({
    variables: {
      EMBEDDINGS: 'local',
      EMBEDDING_MODEL_DIR: await localModelDir(),
      OPENAI_BASE_URL: stub.baseUrl,
      ...crawl,
    },
    shared: { metrics: recording(spans), embedders: watched(await localEmbedders(), timed(spans)) },
  });
  const item = await trainWebsite(parley, manual.url);
  const chatbot = await parley.send<{ id: string }>('POST', '/chatbots', { title: 'Help' });
  await parley.send('PUT', `/chatbot/${chatbot.id}/knowledge`, { knowledge_id: item.id });

  await using apart = await startApart(
    { ...parley.parley, uri: parley.uri, objectsDir: parley.objectsDir },
    ['knowledge', 'conversations', 'assistants'],
    {
      ...{ EMBEDDINGS: 'local', EMBEDDING_MODEL_DIR: await localModelDir(), OPENAI_BASE_URL: stub.baseUrl },
      LOG_LEVEL: 'error',
    },
  );
  await using bare = await startBare(parley, stub.baseUrl, chatbot.id);
  const ask = keepAlive(1);
  const headers = { authorization: `Bearer ${parley.key}`, 'content-type': 'application/json' };
  const send = (url: string, message: string) =>
    ask(url, { method: 'POST', headers, body: JSON.stringify({ message }) });
  const path = `/chatbot/${chatbot.id}/reply`;
  const rounds: Round[] = [];
  for (let i = 0; i < WARM_UP + REPLIES; i++) {
    const message = manual.questions[(i * 37) % manual.questions.length]!;
    const alone = await time(() => ask(`${stub.baseUrl}/chat/completions`, { method: 'POST', body: stub.request }));
    const replicas = await time(() => send(`${apart.url}${path}`, message));
    let steps: BareSteps | undefined;
    const whole = await time(async () => {
      steps = JSON.parse(await send(`http://127.0.0.1:${bare.ready}/`, message)).data.steps;
    });
    spans.length = 0;
    const together = await time(() => send(`${parley.parley.endpoints.gateway}${path}`, message));
    if (i >= WARM_UP)
      rounds.push({ stub: alone, apart: replicas, parley: stepsOf(together, spans), bare: { whole, ...steps! } });
  }
  return table(rounds);
}

const crawl = { CRAWL_ALLOW: '127.0.0.0/8', CRAWL_DELAY_MS: '0' };
const module = (name: string) => new URL(`./${name}.ts`, import.meta.url);

async function startBare({ uri, objectsDir, account }: System, baseUrl: string, chatbot: string) {
  const settings: BareSettings = { uri, objectsDir, account, baseUrl, chatbot, modelDir: await localModelDir() };
  return startProgram<number>(module('reply-bare'), { variables: { BARE: JSON.stringify(settings) } });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Metrics that also record each call between services. */
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

/** One question to each, in milliseconds. */
interface Round {
  /** The model stub, called directly. */
  stub: number;
  apart: number;
  parley: ReturnType<typeof stepsOf>;
  bare: BareSteps & { whole: number };
}

function stepsOf(whole: number, spans: readonly Span[]) {
  const span = (name: string) => {
    const found = spans.find((each) => each.name === name);
    if (!found) throw new Error(`a reply went without ${name}`);
    return found;
  };
  const ms = ({ began, ended }: Omit<Span, 'name'>) => ended - began;
  const [question, search, embed, answer] = [
    span('AskQuestion'),
    span('Search'),
    span('embed'),
    span('AnswerQuestion'),
  ];
  const ready = Math.max(question.ended, search.ended);
  const steps = {
    question: ms(question),
    embed: ms(embed),
    search: ms(search) - ms(embed),
    model: answer.began - ready,
    answer: ms(answer),
    /** Search runs concurrently with storing the question. */
    rest: whole - (answer.ended - Math.min(question.began, search.began)),
  };
  return { whole, ...steps };
}

type Step = 'whole' | 'question' | 'embed' | 'search' | 'model' | 'answer';

function table(rounds: readonly Round[]): Table {
  const row = (name: string, parley: number[], bare: number[]) => {
    const ratio = median(parley) / median(bare);
    return [
      name,
      median(parley).toFixed(1),
      quantile(parley, 0.95).toFixed(1),
      median(bare).toFixed(1),
      ratio.toFixed(2),
    ];
  };
  const step = (name: string, of: Step) =>
    row(
      name,
      rounds.map((round) => round.parley[of]),
      rounds.map((round) => round.bare[of]),
    );
  const restOfBare = ({ whole, question, embed, search, model, answer }: Record<Step, number>) =>
    whole - question - embed - search - model - answer;
  const bareAdded = rounds.map(({ bare, stub }) => bare.whole - bare.embed - stub);
  const added = rounds.map(({ apart, parley, stub }) => apart - parley.embed - stub);
  const ratio = median(added) / median(bareAdded);
  const both = (of: (round: Round) => [number, number]) =>
    [rounds.map((r) => of(r)[0]), rounds.map((r) => of(r)[1])] as const;
  return {
    about: `POST /v1/chatbot/:id/reply from a manual of ${SIZE.pages * SIZE.sections} chunks, ${REPLIES} sequential questions after ${WARM_UP} to warm up, alternating with a bare Koa process that does the same reads and writes with the same embedding and model stub. Steps are measured with all of Parley in one process; the calling service times each call. Processes keep no state between questions, so replicas make no difference.`,
    head: ['step', 'Parley, median ms', 'p95, ms', 'bare, median ms', 'ratio'],
    rows: [
      step('the whole reply, all of Parley in one process', 'whole'),
      row('the whole reply, one process per service', ...both(({ apart, bare }) => [apart, bare.whole])),
      step('store the question (Parley: while searching)', 'question'),
      step('embed the question', 'embed'),
      step('search, beside embedding', 'search'),
      step('call the model', 'model'),
      step('store the answer', 'answer'),
      row('the rest: HTTP, key, assistant', ...both(({ parley, bare }) => [parley.rest, restOfBare(bare)])),
      row('the model stub, called directly', ...both(({ stub }) => [stub, stub])),
      row('added: all but embedding and the stub, one process per service', added, bareAdded),
    ],
    bound: {
      says: `with a process per service, the time of a question beyond embedding and the stub must be less than ${BOUND} times that of the bare process; it is ${ratio.toFixed(2)}.`,
      met: ratio < BOUND,
    },
  };
}
