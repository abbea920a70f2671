import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corpusMigrations, createCorpus } from '@parley/corpus';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { processorSeconds, residentMib } from '@parley/runtime/testing';
import { localModelDir } from './local-model.ts';
import { type Manual, openManual } from './manual.ts';
import { median } from './measure.ts';
import { startProgram } from './program.ts';
import { type System, startSystem, trainItem } from './system.ts';
import type { Bench, Table } from './table.ts';

const PAGES = 1_000;
/** With a model, which takes most of the time. */
const EMBEDDED_PAGES = 200;
/** An ordinary page has five passages. */
const SIZE = { sections: 5, sentences: 5, links: 10 };
const REFUSED = 0.2;
const SAMPLE_MS = 100;
const PER_CORE = 25;
const AGAIN = 0.1;
/** How much more memory the end of a training may take than its first quarter. */
const GROWTH = 1.25;

/** Measures training a large website, and training it again. */
export const website: Bench = { name: 'website', run };

/** A training, in seconds of processor time. */
interface Cost {
  /** Processor time of the trainer and the processes that it starts. */
  trainer: number;
  /** Processor time of all of Parley, its database and the website. */
  system: number;
}

/** The result of a training. */
interface Result extends Cost {
  pages: number;
  /** Passages sent to the model. */
  embedded: number;
  /** True if the chunks are others than those before. */
  isRewritten: boolean;
}

async function run(): Promise<Table> {
  const large = await train(PAGES, { EMBEDDINGS: 'none' });
  const { memory } = large;
  const small = await train(EMBEDDED_PAGES, { EMBEDDINGS: 'local', EMBEDDING_MODEL_DIR: await localModelDir() });
  const row = (what: string, pages: number, { trainer, system }: Cost) => [
    what,
    trainer.toFixed(1),
    system.toFixed(1),
    (pages / trainer).toFixed(0),
    (pages / system).toFixed(0),
  ];
  const perCore = PAGES / large.first.trainer;
  const share = small.again.trainer / small.first.trainer;
  const isUntouched = small.again.embedded === 0 && !small.again.isRewritten && !large.again.isRewritten;
  const met =
    perCore >= PER_CORE &&
    memory.late <= GROWTH * memory.early &&
    share <= AGAIN &&
    isUntouched &&
    large.refused.pages === PAGES;
  return {
    about: `Websites on loopback, without a crawl delay, trained by a trainer in a process of its own; processor time in seconds, and pages for each second of it, of the trainer with its reading processes, and of the whole system with its database and the website. Resident memory of the trainer with its reading processes: ${memory.early.toFixed(0)} MiB around page ${PAGES / 4}, ${memory.late.toFixed(0)} MiB around page ${PAGES}.`,
    head: ['', 'trainer', 'system', 'pages/s, trainer', 'pages/s, system'],
    rows: [
      row(`${PAGES} pages, without embeddings`, PAGES, large.first),
      row('the same again, unchanged', PAGES, large.again),
      row(`the same, ${100 * REFUSED} % of its pages answering 503`, PAGES, large.refused),
      row(`${EMBEDDED_PAGES} pages, embedded by the local model`, EMBEDDED_PAGES, small.first),
      row('the same again, unchanged', EMBEDDED_PAGES, small.again),
    ],
    bound: {
      says: `the trainer must read at least ${PER_CORE} pages for each second of a core; it reads ${perCore.toFixed(0)}. Its memory must not grow by more than ${Math.round(100 * (GROWTH - 1))} % after the first quarter; it is ${(memory.late / memory.early).toFixed(2)} of that. Training what has not changed must take at most ${AGAIN} of the first training, embed nothing and write no chunk; it takes ${share.toFixed(3)}, embeds ${small.again.embedded} and ${isUntouched ? 'leaves the chunks as they are' : 'writes chunks'}. No page may be lost by a passing 503; ${large.refused.pages} of ${PAGES} are searched.`,
      met,
    },
  };
}

/** Trains a new website, once more unchanged, and once more while part of it is unavailable. */
async function train(pages: number, variables: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    await using manual = await openManual({ ...SIZE, pages });
    await using system = await startSystem({ keepIn: dataDir, variables: { CRAWL_ALLOW: '127.0.0.0/8' } });
    await system.parley.services.trainer.stop();
    await using trainer = await startProgram<number>(new URL('./service.ts', import.meta.url), {
      args: ['trainer'],
      variables: {
        MONGODB_URI: system.uri,
        OBJECTS_DIR: join(dataDir, 'objects'),
        INDEX_DIR: join(dataDir, 'index'),
        PARLEY_SECRET: system.parley.secret,
        CRAWL_ALLOW: '127.0.0.0/8',
        CRAWL_DELAY_MS: '0',
        CRAWL_MAX_PAGES: String(2 * pages),
        LOG_LEVEL: 'error',
        ...variables,
      },
    });
    const { id } = await system.send<{ id: string }>('POST', '/knowledge/website', { website_url: manual.url });
    const training = () => trained(system, id, trainer.ready);
    const memory = watchMemory(trainer.ready, manual, pages);
    const first = await training();
    memory.end();
    const again = await training();
    manual.refuse(REFUSED);
    return { first, memory: memory.seen(), again, refused: await training() };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function trained(system: System, id: string, trainer: number): Promise<Result> {
  const before = await liveOf(system, id);
  const [ofTrainer, ofSystem] = [processorSeconds(trainer), processorSeconds(process.pid)];
  await trainItem(system, id);
  const cost = { trainer: processorSeconds(trainer) - ofTrainer, system: processorSeconds(process.pid) - ofSystem };
  const { last_training: last } = await system.send<{ last_training: { embedded: number } }>('GET', `/knowledge/${id}`);
  const live = await liveOf(system, id);
  return { ...cost, pages: live.sources, embedded: last.embedded, isRewritten: live.build !== before.build };
}

/** The build that is searched, and the pages that it has. */
async function liveOf(system: System, id: string): Promise<{ build: string | undefined; sources: number }> {
  const log = createLog('bench', 'error');
  const mongo = openMongo({ uri: system.uri, database: 'parley_corpus' }, corpusMigrations, log);
  const { items } = createCorpus(mongo.db).collections;
  const item = await items.findOne({ _id: id, account: system.account });
  await mongo.stop?.();
  return { build: item?.live?.build, sources: item?.live?.sources ?? 0 };
}

/** The median of a process's memory after a quarter of the pages, and towards the end of them. */
function watchMemory(pid: number, manual: Manual, pages: number) {
  const early: number[] = [];
  const late: number[] = [];
  const timer = setInterval(() => {
    const read = manual.served / pages;
    if (read > 0.2 && read <= 0.3) early.push(residentMib(pid));
    if (read > 0.9) late.push(residentMib(pid));
  }, SAMPLE_MS);
  return {
    end: () => clearInterval(timer),
    seen: () => ({ early: median(early), late: median(late) }),
  };
}
