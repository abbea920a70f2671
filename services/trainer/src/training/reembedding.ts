import { TRAINING_LEASE_MS, type TrainingJob } from '@parley/corpus';
import { createLoop, type Loop } from '@parley/runtime';
import { keepLease, LeaseLost } from '@parley/runtime/mongo';
import type { Dependencies } from '../dependencies.ts';
import { failureOf, mayPass } from './failure.ts';
import { reembed } from './reembed.ts';
import type { Slots } from './slots.ts';

/** Between looks at whether a live build has another model. */
const REST_MS = 60_000;
/** Before a build is tried again. */
const AFTER_FAILURE_MS = 3_600_000;

/**
 * After the embedding model has changed, gives the live builds the vectors of the new one, one after the other, while they
 * answer. Each trainer works on one at a time.
 */
export function createReembedding(dependencies: Dependencies, slots: Pick<Slots, 'enter'>, restMs = REST_MS): Loop {
  const { corpus, embedders, objects } = dependencies;

  async function work(job: TrainingJob, stopping: AbortSignal): Promise<boolean> {
    const log = dependencies.log.child({ account: job.account, item: job.item, fence: job.fence });
    try {
      const renew = () => corpus.training.renew(job);
      const lease = { ttlMs: TRAINING_LEASE_MS, renew, signal: stopping };
      const model = await keepLease(lease, (signal) => reembed(dependencies, job, signal));
      log.info({ model, before: job.document.live?.model }, 'embedded again by another model');
      return true;
    } catch (error) {
      if (error instanceof LeaseLost && !stopping.aborted) {
        // A training was requested, or the item was deleted.
        await corpus.builds.discard(job, objects);
        return true;
      }
      if (!stopping.aborted) {
        const reason = mayPass(error) ? error.message : failureOf(error, log);
        log.warn({ reason }, 'could not embed again; the live build keeps its vectors');
      }
      await corpus.reembedding.release(job, stopping.aborted ? 0 : AFTER_FAILURE_MS);
      return false;
    }
  }

  return createLoop({
    name: 're-embedding',
    restMs,
    log: dependencies.log,
    async round(stopping) {
      if (embedders.models.length === 0) return false;
      const leave = await slots.enter();
      if (!leave) return false;
      try {
        const job = await corpus.reembedding.claim(embedders.models);
        return job ? await work(job, stopping) : false;
      } finally {
        leave();
      }
    },
  });
}
