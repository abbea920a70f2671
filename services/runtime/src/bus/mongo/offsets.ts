import type { Collection, Db, Document } from 'mongodb';
import { isDuplicate } from '../../mongo/errors.ts';
import { fromNow, passed } from '../../mongo/lease.ts';
import { literal } from '../../mongo/write.ts';
import type { Position } from '../lane.ts';

/** One lane of a topic, as one group sees it. */
export interface GroupLane {
  topic: string;
  group: string;
  lane: number;
}

/** How far a group has come in a lane, and which process works on it. */
export interface Offset extends GroupLane {
  _id: string;
  /** The number of the last message that was handled or set aside; this is the group's acknowledgement. */
  offset: number;
  /** How often the message after `offset` was started but not handled. */
  attempts: number;
  /** The process that works on the lane; absent if none does. */
  owner?: string;
  /** End of the owner's lease. The first version also stored the time of its next retry here. */
  until?: Date;
}

export const offsetsOf = (db: Db): Collection<Offset> => db.collection<Offset>('offsets');

const idOf = ({ topic, group, lane }: GroupLane) => `${topic}/${group}/${lane}`;

/** Registers the group with the lane, before its first message. From now on, nothing it has not handled is deleted. */
export async function registerLane(offsets: Collection<Offset>, lane: GroupLane): Promise<void> {
  const first = { $setOnInsert: { ...lane, offset: 0, attempts: 0 } };
  await offsets.updateOne({ _id: idOf(lane) }, first, { upsert: true }).catch((error) => {
    if (!isDuplicate(error)) throw error;
  });
}

/** The number of the last message that the group has handled in a lane; 0 for a new group. */
export async function readOffset(offsets: Collection<Offset>, lane: GroupLane): Promise<number> {
  return (await offsets.findOne({ _id: idOf(lane) }))?.offset ?? 0;
}

/** What every group of the topic has handled in a lane; undefined if there is no group. */
export async function slowestOffset(offsets: Collection<Offset>, topic: string, lane: number) {
  return (await offsets.findOne({ topic, lane }, { sort: { offset: 1 } }))?.offset;
}

/** Claims a lane for `ms`, if no process has it. */
export async function claimLane(
  offsets: Collection<Offset>,
  lane: GroupLane,
  owner: string,
  ms: number,
): Promise<Offset | undefined> {
  const claim = { owner: literal(owner), until: fromNow(ms) };
  const claimed = await offsets.findOneAndUpdate({ _id: idOf(lane), ...passed('until') }, [{ $set: claim }], {
    returnDocument: 'after',
  });
  return claimed ?? undefined;
}

/** Renews the lease. False if another process has taken the lane. */
export const renewLane = (offsets: Collection<Offset>, lane: GroupLane, owner: string, ms: number): Promise<boolean> =>
  update(offsets, lane, owner, { until: fromNow(ms) });

/** Commits the group's position and renews the lease. False if another process has taken the lane. */
export const commitPosition = (
  offsets: Collection<Offset>,
  lane: GroupLane,
  owner: string,
  { offset, attempts }: Position,
  ms: number,
): Promise<boolean> => update(offsets, lane, owner, { offset: Number(offset) - 1, attempts, until: fromNow(ms) });

async function update(offsets: Collection<Offset>, lane: GroupLane, owner: string, $set: Document): Promise<boolean> {
  return (await offsets.updateOne({ _id: idOf(lane), owner }, [{ $set }])).matchedCount === 1;
}

/** Releases the lane to any process that has work in it. */
export async function releaseLane(offsets: Collection<Offset>, lane: GroupLane, owner: string): Promise<void> {
  await offsets.updateOne({ _id: idOf(lane), owner }, { $unset: { owner: 1, until: 1 } });
}
