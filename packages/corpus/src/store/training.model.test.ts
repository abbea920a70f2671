import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import fc from 'fast-check';
import { corpusWorld, published } from '../testing.ts';
import type { TrainingJob } from './queue.ts';
import { MAX_RETRIES } from './training.ts';

let world: Awaited<ReturnType<typeof corpusWorld>>;
beforeAll(async () => {
  world = await corpusWorld();
});
afterAll(() => world.close());

/** The expected state of one item's training, and who works on it. */
interface Model {
  state: 'idle' | 'queued' | 'running';
  deleted: boolean;
  generation: number;
  fence: number;
  /** Claims that count as attempts. */
  attempts: number[];
  /** The furthest that a claim of this generation got. */
  reached: number;
  expired: boolean;
  /** Since a run got further than any before. */
  retries: number;
  /** Postponed, and not due yet. */
  paused: boolean;
  again: boolean;
  content: number;
  /** Content at the latest claim. */
  claimed: number;
  /** Content at the latest requested training. */
  asked: number;
  /** `by`: the fence of the run that last made or confirmed it. */
  live: { fence: number; content: number; by: number } | undefined;
  /** Each worker's last claim, with the content that it read. */
  jobs: ({ job: TrainingJob; content: number } | undefined)[];
}

type Worker = 0 | 1;
type Step =
  | { do: 'ask' | 'change' | 'expire' | 'resume' | 'delete' }
  | {
      do:
        | 'claim in company'
        | 'claim'
        | 'renew'
        | 'publish'
        | 'confirm'
        | 'fail'
        | 'release'
        | 'postpone'
        | 'uncountAttempt';
      worker: Worker;
    }
  | { do: 'progress'; worker: Worker; done: number };

const worker = fc.constantFrom<Worker>(0, 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 16,
      arbitrary: fc.record({
        do: fc.constantFrom('ask' as const, 'change' as const, 'expire' as const, 'resume' as const),
      }),
    },
    {
      weight: 20,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'claim' as const,
          'claim' as const,
          'claim in company' as const,
          'renew' as const,
          'publish' as const,
          'confirm' as const,
          'fail' as const,
          'release' as const,
          'postpone' as const,
          'uncountAttempt' as const,
        ),
        worker,
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('progress' as const), worker, done: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.constant<Step>({ do: 'delete' }) },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

test('no order of requests, claims, deaths, publications and deletions by two workers breaks a training', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await world.emptyQueue();
      const account = randomId();
      const { _id: id } = await world.faq(account);
      const model: Model = {
        state: 'idle',
        deleted: false,
        generation: 0,
        fence: 0,
        attempts: [],
        reached: 0,
        expired: false,
        retries: 0,
        paused: false,
        again: false,
        content: 0,
        claimed: 0,
        asked: 0,
        live: undefined,
        jobs: [undefined, undefined],
      };
      for (const step of sequence) {
        await take(step, model, account, id);
        await compare(model, id);
      }
      await drain(model, account, id);
    }),
    { numRuns: 40 },
  );
});

async function take(step: Step, m: Model, account: string, id: string) {
  const { corpus } = world;
  switch (step.do) {
    case 'change':
      if (!m.deleted) await world.faqItem(account, id);
      m.content += m.deleted ? 0 : 1;
      return;
    case 'expire':
      await world.expire(id);
      m.expired = m.state === 'running';
      return;
    case 'resume':
      if (m.paused) await world.resume(id);
      m.paused = false;
      return;
    case 'delete':
      if (!m.deleted) await corpus.items.delete(account, id, randomId());
      m.deleted = true;
      return;
    case 'ask':
      return ask(m, account, id);
    case 'claim':
    case 'claim in company':
      return claim(m, step.worker, step.do === 'claim in company');
    case 'progress':
      return progress(m, m.jobs[step.worker], step.done);
    case 'uncountAttempt':
      return uncountAttempt(m, m.jobs[step.worker]);
    default:
      return work(step.do, m, m.jobs[step.worker]);
  }
}

async function ask(m: Model, account: string, id: string) {
  const asked = world.corpus.training.request(account, id, randomId());
  if (m.deleted) return expect(asked).rejects.toMatchObject({ code: 'not_found' });
  await asked;
  m.asked = m.content;
  if (m.state === 'idle') queue(m);
  else if (m.state === 'running' && m.content !== m.claimed) m.again = true;
}

function queue(m: Model) {
  const anew = { state: 'queued', attempts: [], reached: 0, again: false, expired: false, retries: 0, paused: false };
  Object.assign(m, { ...anew, generation: m.generation + 1 });
}

async function claim(m: Model, by: Worker, inCompany = false) {
  const job = await world.corpus.training.claim({ inCompany });
  // Its worker has died.
  if (inCompany && m.attempts.length > 0) return expect(job).toBeUndefined();
  if (m.deleted || m.state === 'idle' || m.paused || (m.state === 'running' && !m.expired))
    return expect(job).toBeUndefined();
  m.fence += 1;
  m.attempts.push(m.fence);
  Object.assign(m, { claimed: m.content, expired: false });
  if (m.attempts.length > 3) {
    // `again` is false from the claim on, so the training ends here.
    expect(job).toBeUndefined();
    return Object.assign(m, { state: 'idle', again: false });
  }
  expect(job).toMatchObject({ generation: m.generation, fence: m.fence });
  m.jobs[by] = { job: job!, content: m.content };
  return Object.assign(m, { state: 'running', again: false });
}

async function work(
  how: 'renew' | 'publish' | 'confirm' | 'fail' | 'release' | 'postpone',
  m: Model,
  mine: Model['jobs'][number],
) {
  if (!mine || (how === 'confirm' && !mine.job.document.live)) return;
  const { training } = world.corpus;
  const { job } = mine;
  const does = {
    renew: () => training.renew(job),
    publish: () => training.publish(job, published()),
    confirm: () => training.confirm(job),
    fail: () => training.fail(job, 'It could not be read.'),
    release: () => training.release(job),
    postpone: () => training.postpone(job, 'The model is busy.'),
  };
  const holds = !m.deleted && m.state === 'running' && m.fence === job.fence;
  const isPublished = how === 'publish' && m.live?.fence === job.fence;
  const isConfirmed = how === 'confirm' && m.live?.by === job.fence && m.live.fence !== job.fence;
  const repeated = !m.deleted && (isPublished || isConfirmed);
  expect(await does[how]()).toBe(holds || repeated);
  if (!holds) return;
  if (how === 'renew') m.expired = false;
  const isFailed = how === 'fail' || (how === 'postpone' && m.retries === MAX_RETRIES);
  if (how === 'release' || (how === 'postpone' && !isFailed)) {
    m.attempts = m.attempts.filter((fence) => fence !== job.fence);
    Object.assign(m, { state: 'queued', again: false });
  }
  if (how === 'postpone' && !isFailed) Object.assign(m, { retries: m.retries + 1, paused: true });
  if (how === 'publish') m.live = { fence: job.fence, content: mine.content, by: job.fence };
  if (how === 'confirm') Object.assign(m.live!, { content: mine.content, by: job.fence });
  if (how === 'publish' || how === 'confirm' || isFailed) {
    if (m.again) queue(m);
    else m.state = 'idle';
  }
}

async function progress(m: Model, mine: Model['jobs'][number], done: number) {
  if (!mine) return;
  const { job } = mine;
  const holds = !m.deleted && m.state === 'running' && m.fence === job.fence;
  const reported = { sources_found: 9, sources_done: done, chunks: 1 };
  expect(await world.corpus.training.reportProgress(job, reported)).toBe(holds);
  if (!holds || done <= m.reached) return;
  m.attempts = [job.fence];
  Object.assign(m, { reached: done, retries: 0 });
}

/** Its database failed: whoever has the job by now, the claim does not count as an attempt. */
async function uncountAttempt(m: Model, mine: Model['jobs'][number]) {
  if (!mine) return;
  const { fence } = mine.job;
  const counted = !m.deleted && m.generation === mine.job.generation && m.attempts.includes(fence);
  expect(await world.corpus.training.uncountAttempt(mine.job)).toBe(counted);
  if (counted) m.attempts = m.attempts.filter((each) => each !== fence);
}

async function compare(m: Model, id: string) {
  const item = (await world.stored(id))!;
  expect(item).toMatchObject({
    generation: m.generation,
    content_version: m.content,
    training: { state: m.state, fence: m.fence, again: m.again, attempts: m.attempts.length, claims: m.attempts },
  });
  expect(item.live?.build).toBe(m.live && `${id}:${m.live.fence}`);
  expect(item.live?.content_version).toBe(m.live?.content);
  expect(item.training.queued_at !== null).toBe(m.state !== 'idle');
  expect(item.trained_at === null || m.state === 'idle').toBe(true);
  expect(item.outbox!.map(({ seq }) => seq)).toEqual(item.outbox!.map((_, i) => i + 1));
  expect(item.outbox!.filter(({ payload }) => payload.case === 'trainingQueued')).toHaveLength(m.generation);
}

/** Whatever happened, working workers reach what was requested. */
async function drain(m: Model, account: string, id: string) {
  if (m.deleted) return;
  await ask(m, account, id);
  for (let runs = 0; !isIdle(m); runs++) {
    expect(runs).toBeLessThan(4);
    if (m.paused) await take({ do: 'resume' }, m, account, id);
    if (m.state === 'running') await take({ do: 'expire' }, m, account, id);
    await claim(m, 0);
    // The last attempt of a training that died too often fails it; a new request starts over.
    if (isIdle(m)) await ask(m, account, id);
    else await work('publish', m, m.jobs[0]);
    await compare(m, id);
  }
  expect(m.live!.content).toBeGreaterThanOrEqual(m.asked);
}

const isIdle = (m: Model): boolean => m.state === 'idle';
