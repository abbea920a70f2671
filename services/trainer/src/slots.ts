import type { Corpus, TrainingJob } from '@parley/corpus';

/** The concurrent trainings of one trainer. */
export interface Slots {
  /** The best job for a free slot, if there is one. Pass it to `release` when it ends. */
  claim(): Promise<TrainingJob | undefined>;
  release(job: TrainingJob): void;
}

/**
 * Lets no account hold all slots of a trainer, because its trainings may be slow and delay those of other accounts. Does
 * not apply to a trainer with a single slot.
 */
export function createSlots(training: Pick<Corpus['training'], 'claim'>, size: number): Slots {
  const held = new Map<string, number>();
  const most = Math.max(size - 1, 1);
  // One claim at a time: two concurrent ones would both see the same free slot.
  let last: Promise<unknown> = Promise.resolve();

  async function claim(): Promise<TrainingJob | undefined> {
    const busy = [...held].filter(([, jobs]) => jobs >= most).map(([account]) => account);
    const job = await training.claim(busy);
    if (job) held.set(job.account, (held.get(job.account) ?? 0) + 1);
    return job;
  }

  return {
    claim() {
      const turn = last.then(claim);
      last = turn.catch(() => {});
      return turn;
    },
    release({ account }) {
      const jobs = held.get(account) ?? 0;
      if (jobs > 1) held.set(account, jobs - 1);
      else held.delete(account);
    },
  };
}
