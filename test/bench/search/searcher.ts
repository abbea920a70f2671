import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createBuildFiles,
  createSearchPool,
  E5,
  localEngine,
  openBuild,
  type PooledBuild,
  type RemoteBuild,
  type SearchedBuild,
  search,
} from '@parley/corpus';
import { createDirectoryStore } from '@parley/runtime/objects';
import { tellReady } from '../program.ts';
import { type AskedQuestion, questionsOf, type Size } from './corpus.ts';

/** What one process measured that did nothing but search. Times are in milliseconds, memory in bytes. */
export interface Searched {
  /** Until the first question is answered of builds that are not on local disk. */
  first: number;
  /** Of both threads together, by question: what it takes on one core. */
  cpu: number[];
  /** From asking to the answer, by question. */
  wall: number[];
  loopDelayP99: number;
  residentAboveIdle: number;
  /** Share of the ten best of all passages that are among the ten best of those nominated. */
  recall: number;
}

/** What the process is told. */
export interface Job {
  size: Size;
  objectsDir: string;
  indexDir: string;
  builds: RemoteBuild[];
  memoryBytes: number;
}

const MODEL = 'bench';
const BEST = 10;
/** Every passage is scored for each: slow. */
const COMPARED = 20;
const PLENTY = 100 * 2 ** 30;

const idle = process.memoryUsage.rss();
const { size, objectsDir, indexDir, builds, memoryBytes } = JSON.parse(process.argv[2]!) as Job;
const questions = questionsOf(size);
const pool = createSearchPool({ memoryBytes });
const files = createBuildFiles({
  dir: indexDir,
  maxBytes: PLENTY,
  objects: createDirectoryStore({ dir: objectsDir }),
  dropped: pool.forget,
});

const vectorsOf = ({ vector }: AskedQuestion) => new Map([[MODEL, { vector, prior: E5 }]]);
const ask = (opened: SearchedBuild<PooledBuild>[], question: AskedQuestion) =>
  search(pool, opened, question.text, vectorsOf(question));

async function measured(): Promise<Searched> {
  const began = performance.now();
  using lease = await files.lease(builds);
  const paths = builds.map(({ build }) => lease.paths.get(build)!);
  const opened = await Promise.all(paths.map(async (path) => ({ knowledgeId: path, index: await pool.open(path) })));
  await ask(opened, questions[0]!);
  const first = performance.now() - began;
  const [cpu, wall]: [number[], number[]] = [[], []];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const question of questions) {
    const [used, at] = [process.cpuUsage(), performance.now()];
    await ask(opened, question);
    wall.push(performance.now() - at);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1000);
  }
  delay.disable();
  const residentAboveIdle = process.memoryUsage.rss() - idle;
  return {
    first,
    cpu,
    wall,
    loopDelayP99: delay.percentile(99) / 1e6,
    residentAboveIdle,
    recall: await recallOf(paths),
  };
}

/** Compares the search with one that scores every passage. */
async function recallOf(paths: readonly string[]): Promise<number> {
  const engine = localEngine();
  const opened = paths.map((path) => ({ knowledgeId: path, index: openBuild(path) }));
  const everything: Pick<typeof engine, 'candidates'> = {
    candidates: (parts, words, vectors) => engine.candidates(parts, words, vectors, 2 * size.passages),
  };
  let found = 0;
  let all = 0;
  for (const question of questions.slice(0, COMPARED)) {
    const best = async (by: typeof everything) => {
      const { found } = await search(by, opened, question.text, vectorsOf(question));
      return found.slice(0, BEST).map(({ passage }) => passage.source);
    };
    const [wanted, got] = [await best(everything), new Set(await best(engine))];
    all += wanted.length;
    found += wanted.filter((source) => got.has(source)).length;
  }
  return found / all;
}

tellReady(await measured(), pool.close);
