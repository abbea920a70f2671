import {
  BuildDamaged,
  type BuildFile,
  type FormerBuild,
  NoRoom,
  openFormerBuild,
  type TrainingJob,
} from '@parley/corpus';
import type { Dependencies } from '../dependencies.ts';

/** The builds of an item before this run's, as far as they can still be read. */
export interface FormerBuilds extends Disposable {
  /** The live one; undefined if its file is damaged. */
  live(): Promise<FormerBuild | undefined>;
  /** The vectors of texts that a model has embedded for any of them, by their hashes. */
  vectors(model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
}

export function createFormerBuilds(
  { corpus, files, log }: Pick<Dependencies, 'corpus' | 'files' | 'log'>,
  job: TrainingJob,
): FormerBuilds {
  const { account, document } = job;
  const opened = new Map<string, Promise<FormerBuild | undefined>>();
  const held = new DisposableStack();
  let earlier: ReturnType<typeof corpus.builds.earlier> | undefined;

  async function open(build: string, file: BuildFile): Promise<FormerBuild | undefined> {
    try {
      const lease = held.use(await files.lease([{ account, build, ...file }]));
      return held.adopt(openFormerBuild(lease.paths.get(build)!), (former) => former.close());
    } catch (error) {
      if (!(error instanceof BuildDamaged || error instanceof NoRoom)) throw error;
      log.warn({ err: error, build }, 'an earlier build cannot be read; training without it');
      return undefined;
    }
  }

  function openOnce(build: string, file: BuildFile): Promise<FormerBuild | undefined> {
    const former = opened.get(build) ?? open(build, file);
    opened.set(build, former);
    return former;
  }

  return {
    async live() {
      const { live } = document;
      return live && !live.damaged ? openOnce(live.build, live.file) : undefined;
    },
    async vectors(model, hashes) {
      const known = new Map<string, Float32Array>();
      earlier ??= corpus.builds.earlier(job);
      for (const { _id, model: other, file } of await earlier) {
        const former = other === model && file && (await openOnce(_id, file));
        if (former) for (const [hash, vector] of former.vectors(hashes)) known.set(hash, vector);
      }
      return known;
    },
    [Symbol.dispose]: () => held.dispose(),
  };
}
