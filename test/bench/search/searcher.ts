import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  createBuildFiles,
  createSearchPool,
  E5,
  openBuild,
  type PooledBuild,
  type RemoteBuild,
  type SearchedBuild,
  search,
} from '@parley/corpus';
import { createDirectoryStore } from '@parley/runtime/objects';
import { tellReady } from '../program.ts';
import { type AskedQuestion, questionsOf, type Size } from './corpus.ts';
import { recallOf } from './real.ts';

/** Measurements of a process that only searched. Times are in milliseconds, memory in bytes. */
export interface Searched {
  /** Until the first question is answered of builds that are not on local disk. */
  first: number;
  /** CPU of both threads together, by question. */
  cpu: number[];
  /** From asking to the answer, by question. */
  wall: number[];
  loopDelayP99: number;
  residentAboveIdle: number;
  /** See `recallOf`. */
  recall: number | undefined;
}

/** The process's task. */
export interface Job {
  size: Size;
  objectsDir: string;
  indexDir: string;
  builds: RemoteBuild[];
  memoryBytes: number;
  /** True to compare with scoring everything, which is slow. */
  isCompared: boolean;
}

const MODEL = 'bench';
/** Every passage is scored for each: slow. */
const COMPARED = 20;
const PLENTY = 100 * 2 ** 30;

const idle = process.memoryUsage.rss();
const { size, objectsDir, indexDir, builds, memoryBytes, isCompared } = JSON.parse(process.argv[2]!) as Job;
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
  const compared = paths.map((path) => ({ knowledgeId: path, index: openBuild(path) }));
  const asked = questions.slice(0, COMPARED).map((each) => ({ text: each.text, vectors: vectorsOf(each) }));
  return {
    first,
    cpu,
    wall,
    loopDelayP99: delay.percentile(99) / 1e6,
    residentAboveIdle,
    recall: isCompared ? await recallOf(compared, asked) : undefined,
  };
}

tellReady(await measured(), pool.close);
