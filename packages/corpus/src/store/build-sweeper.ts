import { createLoop, type Log, type Loop } from '@parley/runtime';
import { compute } from '@parley/runtime/mongo';
import type { ObjectStore } from '@parley/runtime/objects';
import { type BuildDoc, buildId, type KnowledgeItemDoc, pagesFence } from '../model.ts';
import { buildPrefix } from '../object-keys.ts';
import { emptyBuild } from './builds.ts';
import type { Collections } from './collections.ts';
import { deleteFolder } from './delete-folder.ts';

const REST_MS = 10_000;
/** A search in progress may still read a build that was live when it began. */
const REST_OF_BUILD_MS = 600_000;

/**
 * Deletes builds of all accounts that are no longer needed: retires them, empties them ten minutes later, and once more
 * ten minutes after that, for late writes. Every replica may run it; every step is idempotent.
 */
export function createBuildSweeper(options: {
  collections: Collections;
  objects: Pick<ObjectStore, 'deletePrefix'>;
  log: Log;
  /** Between retiring and emptying, and between emptying and deleting. */
  restOfBuildMs?: number;
}): Loop {
  const { collections, objects, log, restOfBuildMs = REST_OF_BUILD_MS } = options;
  const { items, builds } = collections;
  const rested = (field: string) => ({ $lte: [{ $add: [`$${field}`, restOfBuildMs] }, '$$NOW'] });

  async function retireOne(): Promise<boolean> {
    const item = await items.findOne({ builds_due: { $type: 'date' } }, { sort: { builds_due: 1 } });
    if (!item) return false;
    await builds.updateMany(useless(item), [compute({ retired_at: '$$NOW' })]);
    // If another run has ended meanwhile, the item is due again.
    const { generation, builds_due } = item;
    const seen = {
      generation,
      builds_due,
      'training.state': item.training.state,
      'training.fence': item.training.fence,
    };
    await items.unlisted.updateOne({ _id: item._id, ...seen }, { $unset: { builds_due: 1 } });
    return true;
  }

  async function emptyOne(signal: AbortSignal): Promise<boolean> {
    const retired = { retired_at: { $type: 'date' as const } };
    const build =
      (await builds.findOne({ ...retired, emptied_at: null, $expr: rested('retired_at') })) ??
      (await builds.findOne({ ...retired, emptied_at: { $type: 'date' }, $expr: rested('emptied_at') }));
    if (!build) return false;
    await empty(build, signal);
    if (build.emptied_at) await builds.deleteOne({ _id: build._id });
    else await builds.updateOne({ _id: build._id }, [compute({ emptied_at: '$$NOW' })]);
    return true;
  }

  async function empty({ _id, account, item, fence }: BuildDoc, signal: AbortSignal) {
    await emptyBuild(collections, account, _id);
    await deleteFolder(objects, buildPrefix(account, item, fence), signal);
  }

  const round = async (signal: AbortSignal) => (await retireOne()) || (await emptyOne(signal));
  return createLoop({ name: 'sweeper of builds', restMs: REST_MS, log, round });
}

/**
 * Filter: builds that nobody needs and that can no longer become live. Needed are the live build; that of the latest
 * claim; the one whose pages clients see; and those of the training in progress, whose pages and vectors its next attempt reuses.
 */
function useless(item: KnowledgeItemDoc) {
  const { _id, account, generation, training, live } = item;
  const underWay = training.state === 'idle' ? {} : { generation: { $ne: generation } };
  return {
    item: _id,
    account,
    retired_at: null,
    fence: { $lt: training.fence },
    _id: { $nin: [live?.build ?? '', buildId(_id, pagesFence(item))] },
    ...underWay,
  };
}
