import { type Corpus, runsAlone, type TrainingJob } from '@parley/corpus';

/** The concurrent trainings of one trainer. */
export interface Slots {
  /** The best job for a free slot, if there is one. Pass it to `release` when it ends. */
  claim(): Promise<TrainingJob | undefined>;
  release(job: TrainingJob): void;
  /** Begins other work beside the trainings. Returns what ends it; undefined while a training has to be alone. */
  enter(): Promise<(() => void) | undefined>;
}

/**
 * Lets no account hold all slots of a trainer, because its trainings may be slow and delay those of other accounts. Does
 * not apply to a trainer with a single slot.
 *
 * A training whose worker has died runs alone in its trainer: what killed the trainer was one of those that died with it.
 */
export function createSlots(training: Pick<Corpus['training'], 'claim' | 'needsRoom'>, size: number): Slots {
  const held = new Map<string, number>();
  const most = Math.max(size - 1, 1);
  /** Whatever this trainer works on. */
  let inside = 0;
  let isTaken = false;
  let isClearing = false;
  // One claim at a time: two concurrent ones would both see the same free slot.
  let last: Promise<unknown> = Promise.resolve();

  async function claim(): Promise<TrainingJob | undefined> {
    if (isTaken) return undefined;
    isClearing = inside > 0 && (await training.needsRoom());
    if (isClearing) return undefined;
    const except = [...held].filter(([, jobs]) => jobs >= most).map(([account]) => account);
    const job = await training.claim({ except, inCompany: inside > 0 });
    if (!job) return undefined;
    inside++;
    isTaken = runsAlone(job);
    held.set(job.account, (held.get(job.account) ?? 0) + 1);
    return job;
  }

  function inTurn<T>(act: () => T | Promise<T>): Promise<T> {
    const turn = last.then(act);
    last = turn.catch(() => {});
    return turn;
  }

  function enter() {
    if (isTaken || isClearing) return undefined;
    inside++;
    return () => void inside--;
  }

  return {
    claim: () => inTurn(claim),
    enter: () => inTurn(enter),
    release({ account }) {
      inside--;
      isTaken = false;
      const jobs = held.get(account) ?? 0;
      if (jobs > 1) held.set(account, jobs - 1);
      else held.delete(account);
    },
  };
}
