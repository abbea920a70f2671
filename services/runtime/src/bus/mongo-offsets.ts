import type { Collection, Db } from 'mongodb';
import { isDuplicate } from '../mongo/errors.ts';
import { fromNow, passed } from '../mongo/lease.ts';
import { literal } from '../mongo/write.ts';

/** One lane of a topic, as one group sees it. */
export interface GroupLane {
  topic: string;
  group: string;
  lane: number;
}

/** How far a group has come in a lane, and who is working on it. */
export interface Offset extends GroupLane {
  _id: string;
  /** The number of the last message that was handled or set aside; this is the group's acknowledgement. */
  offset: number;
  /** How often the message after `offset` was begun and not handled. */
  attempts: number;
  /** Who works on the lane; absent while nobody does. */
  owner?: string;
  /** The end of the owner's lease; without an owner, the time before which nobody tries again. */
  until?: Date;
}

export const offsetsOf = (db: Db): Collection<Offset> => db.collection<Offset>('offsets');

const idOf = ({ topic, group, lane }: GroupLane) => `${topic}/${group}/${lane}`;

/** Makes the group known to the lane, before its first message; from now on nothing is deleted that it has not handled. */
export async function registerLane(offsets: Collection<Offset>, lane: GroupLane): Promise<void> {
  const first = { $setOnInsert: { ...lane, offset: 0, attempts: 0 } };
  await offsets.updateOne({ _id: idOf(lane) }, first, { upsert: true }).catch((error) => {
    if (!isDuplicate(error)) throw error;
  });
}

/** The number of the last message that the group has handled in a lane; 0 for a group that is new. */
export async function readOffset(offsets: Collection<Offset>, lane: GroupLane): Promise<number> {
  return (await offsets.findOne({ _id: idOf(lane) }))?.offset ?? 0;
}

/** What every group of the topic has handled in a lane; undefined where it has no group. */
export async function slowestOffset(offsets: Collection<Offset>, topic: string, lane: number) {
  return (await offsets.findOne({ topic, lane }, { sort: { offset: 1 } }))?.offset;
}

/**
 * Takes a lane for `ms`, where nobody has it. A lease that has run out with its owner still named was a process that
 * died or hung at its work: that counts as an attempt.
 */
export async function claimLane(
  offsets: Collection<Offset>,
  lane: GroupLane,
  owner: string,
  ms: number,
): Promise<Offset | undefined> {
  const died = { $cond: ['$owner', 1, 0] };
  const claim = { owner: literal(owner), until: fromNow(ms), attempts: { $add: ['$attempts', died] } };
  const claimed = await offsets.findOneAndUpdate({ _id: idOf(lane), ...passed('until') }, [{ $set: claim }], {
    returnDocument: 'after',
  });
  return claimed ?? undefined;
}

/** Acknowledges up to `offset` and begins the lease anew. Says whether the lane was still ours. */
export async function commitOffset(
  offsets: Collection<Offset>,
  lane: GroupLane,
  owner: string,
  offset: number,
  ms: number,
): Promise<boolean> {
  const done = await offsets.updateOne({ _id: idOf(lane), owner }, [
    { $set: { offset, attempts: 0, until: fromNow(ms) } },
  ]);
  return done.matchedCount === 1;
}

/** Counts a failed attempt and leaves the lane to whoever comes first after `ms`. */
export async function restLane(
  offsets: Collection<Offset>,
  lane: GroupLane,
  owner: string,
  attempts: number,
  ms: number,
): Promise<void> {
  await offsets.updateOne({ _id: idOf(lane), owner }, [
    { $set: { attempts, until: fromNow(ms) } },
    { $unset: 'owner' },
  ]);
}

/** Leaves the lane to whoever has work in it. */
export async function releaseLane(offsets: Collection<Offset>, lane: GroupLane, owner: string): Promise<void> {
  await offsets.updateOne({ _id: idOf(lane), owner }, { $unset: { owner: 1, until: 1 } });
}
