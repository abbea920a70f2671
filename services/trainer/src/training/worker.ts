import { setTimeout as sleep } from 'node:timers/promises';
import { TRAINING_LEASE_MS, type TrainingJob } from '@parley/corpus';
import { createLoop, headersOf, type Log, type Loop, type Outcome, traced } from '@parley/runtime';
import { isDatabaseUnavailable, keepLease, LeaseLost } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import { LoadError } from '../crawl/http/load-error.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Limits } from '../sources/limits.ts';
import { failureOf, mayPass } from './failure.ts';
import type { Slots } from './slots.ts';
import { train } from './train.ts';

/** Between polls of the queue without a wake-up. */
const REST_MS = 2_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 5_000;

/** Runs one training after another. Wake-ups are hints: a lost one delays a job by at most one poll. */
export function createWorker(dependencies: Dependencies, slots: Slots, limits: Limits): Loop {
  const { objects, metrics, log } = dependencies;
  let storeIsUnavailable = false;
  return createLoop({
    name: 'trainer',
    restMs: REST_MS,
    log,
    async round(stopping) {
      if (storeIsUnavailable && !(await isReady(objects))) return false;
      storeIsUnavailable = false;
      const job = await slots.claim();
      if (!job) return false;
      const began = performance.now();
      try {
        const outcome = await tracedWork(dependencies, limits, job, stopping);
        storeIsUnavailable = outcome === 'unavailable';
        metrics.handled('training', 'trainer', outcome, (performance.now() - began) / 1000);
      } finally {
        slots.release(job);
      }
      return true;
    },
  });
}

/** Works in the trace that has queued the job. */
function tracedWork(...args: Parameters<typeof work>): Promise<Outcome> {
  const { trace } = args[2].document.training;
  return traced('training', { kind: 'consumer', from: headersOf(trace) ?? {} }, async (span) => {
    const outcome = await work(...args);
    span.set({ outcome });
    return outcome;
  });
}

async function work(
  dependencies: Dependencies,
  limits: Limits,
  job: TrainingJob,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { training } = dependencies.corpus;
  const { account, item, generation, fence } = job;
  const log = dependencies.log.child({ account, item, generation, fence });
  let unanswered = false; // the database did not answer the last renewal
  async function renew() {
    unanswered = true;
    const ours = await training.renew(job);
    unanswered = false;
    return ours;
  }
  try {
    const lease = { ttlMs: TRAINING_LEASE_MS, renew, signal: stopping };
    const chunks = await keepLease(lease, (signal) => train(dependencies, limits, job, signal));
    log.info({ chunks }, 'trained');
    return 'ok';
  } catch (error) {
    const databaseFailed = isDatabaseUnavailable(error) || (error instanceof LeaseLost && unanswered);
    return untilAnswered(log, stopping, () => settle(dependencies, job, error, { databaseFailed, stopping, log }));
  }
}

interface Circumstances {
  databaseFailed: boolean;
  stopping: AbortSignal;
  log: Log;
}

/** Settles a run that did not publish: releases or postpones the job, leaves it to another worker, or fails it. Idempotent. */
async function settle(
  dependencies: Dependencies,
  job: TrainingJob,
  error: unknown,
  about: Circumstances,
): Promise<Outcome> {
  const { training, builds } = dependencies.corpus;
  const { databaseFailed, stopping, log } = about;
  if (stopping.aborted) {
    await training.release(job);
    log.info('released: the trainer is stopping');
    return 'stopped';
  }
  if (databaseFailed) {
    // Another worker may have the job by now. Either way, the attempt does not count.
    if (!(await training.release(job))) {
      await training.uncountAttempt(job);
      await builds.discard(job, dependencies.objects);
    }
    log.warn({ err: error }, 'released: the database is unavailable');
    return 'unavailable';
  }
  if (error instanceof LeaseLost) {
    await builds.discard(job, dependencies.objects);
    log.warn('the lease was lost; another worker has the job');
    return 'lost';
  }
  if (mayPass(error)) {
    // The file store or the embedding model has been unavailable for longer than their clients wait.
    await training.postpone(job, error.message);
    log.warn({ reason: error.message }, 'postponed: what the training needs is unavailable');
    return 'unavailable';
  }
  const reason = failureOf(error, log);
  await training.fail(job, reason);
  log.info({ reason }, 'training failed');
  return error instanceof LoadError ? 'refused' : 'failed';
}

/** Retries while the database is unavailable; once the worker is stopping, only one last time. */
async function untilAnswered<T>(log: Log, stopping: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
    const isLast = stopping.aborted;
    try {
      return await act();
    } catch (error) {
      if (isLast || !isDatabaseUnavailable(error)) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}

const isReady = (component: Pick<ObjectStore, 'ready'>): Promise<boolean> =>
  component.ready().then(
    () => true,
    () => false,
  );
