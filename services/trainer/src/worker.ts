import { TRAINING_LEASE_MS, type TrainingJob } from '@parley/corpus';
import {
  createLoop,
  isAppError,
  isDatabaseError,
  keepLease,
  LeaseLost,
  type Loop,
  type ObjectStore,
} from '@parley/runtime';
import type { Parts } from './parts.ts';
import { failureOf } from './training/failure.ts';
import { train } from './training/train.ts';
import type { CrawlLimits } from './website/crawl.ts';

/** Between two looks at the queue, where no doorbell rings. */
const REST_MS = 2_000;

/** Works on one training after the other. Doorbells are hints: one that is lost costs at most the rest. */
export function createWorker(parts: Parts, limits: CrawlLimits): Loop {
  const { corpus, objects, metrics, log } = parts;
  let storeWasAway = false;
  return createLoop({
    name: 'trainer',
    restMs: REST_MS,
    log,
    async round(stopping) {
      if (storeWasAway && !(await isReady(objects))) return false;
      const job = await corpus.training.claim();
      if (!job) return false;
      const began = performance.now();
      const outcome = await work(parts, limits, job, stopping);
      storeWasAway = outcome === 'store away';
      metrics.handled('training', 'trainer', outcome === 'ok' ? 'ok' : 'failed', (performance.now() - began) / 1000);
      return true;
    },
  });
}

async function work(parts: Parts, limits: CrawlLimits, job: TrainingJob, stopping: AbortSignal) {
  const { training, builds } = parts.corpus;
  const log = parts.log.child({ account: job.account, item: job.item, generation: job.generation, fence: job.fence });
  const renew = () => training.renew(job);
  try {
    const lease = { ttlMs: TRAINING_LEASE_MS, renew, signal: stopping };
    const chunks = await keepLease(lease, (signal) => train(parts, limits, job, signal));
    log.info({ chunks }, 'trained');
    return 'ok';
  } catch (error) {
    if (stopping.aborted) {
      await training.release(job);
      log.info('put back: the trainer stops');
    } else if (error instanceof LeaseLost) {
      await builds.discard(job, parts.objects);
      log.warn('the lease was lost; another worker has the job');
    } else if (isDatabaseError(error)) {
      // Nothing can be written now. The lease runs out, and the job is claimed again.
      log.error({ err: error }, 'the database failed');
    } else if (isAppError(error, 'unavailable')) {
      // No fault of the content: the file store is away, for longer than it was waited for.
      await training.release(job);
      log.warn({ err: error }, 'put back: the file store is away');
      return 'store away';
    } else {
      await training.fail(job, failureOf(error, log));
    }
    return 'failed';
  }
}

const isReady = (component: Pick<ObjectStore, 'ready'>): Promise<boolean> =>
  component.ready().then(
    () => true,
    () => false,
  );
