import type { Collection, Db, Document } from 'mongodb';
import { isDuplicate } from '../../mongo/errors.ts';
import { fromNow, passed } from '../../mongo/lease.ts';
import { literal } from '../../mongo/write.ts';
import type { Position } from '../partition.ts';

/** One partition of a topic, as one group sees it. */
export interface GroupPartition {
  topic: string;
  group: string;
  partition: number;
}

/** How far a group has come in a partition, and which process works on it. */
export interface Offset extends GroupPartition {
  _id: string;
  /** The number of the last message that was handled or dead-lettered; this is the group's acknowledgement. */
  offset: number;
  /** How often the message after `offset` was started but not handled. */
  attempts: number;
  /** The process that works on the partition; absent if none does. */
  owner?: string;
  /** End of the owner's lease. */
  until?: Date;
}

export const offsetsOf = (db: Db): Collection<Offset> => db.collection<Offset>('offsets');

const idOf = ({ topic, group, partition }: GroupPartition) => `${topic}/${group}/${partition}`;

/** Registers the group with the partition, before its first message. From now on, nothing it has not handled is deleted. */
export async function registerPartition(offsets: Collection<Offset>, partition: GroupPartition): Promise<void> {
  const first = { $setOnInsert: { ...partition, offset: 0, attempts: 0 } };
  await offsets.updateOne({ _id: idOf(partition) }, first, { upsert: true }).catch((error) => {
    if (!isDuplicate(error)) throw error;
  });
}

/** The number of the last message that the group has handled in a partition; 0 for a new group. */
export async function readOffset(offsets: Collection<Offset>, partition: GroupPartition): Promise<number> {
  return (await offsets.findOne({ _id: idOf(partition) }))?.offset ?? 0;
}

/** Returns what every group of the topic has handled in a partition; undefined if there is no group. */
export async function slowestOffset(offsets: Collection<Offset>, topic: string, partition: number) {
  return (await offsets.findOne({ topic, partition }, { sort: { offset: 1 } }))?.offset;
}

/** Claims a partition for `ms`, if no process has it. */
export async function claimPartition(
  offsets: Collection<Offset>,
  partition: GroupPartition,
  owner: string,
  ms: number,
): Promise<Offset | undefined> {
  const claim = { owner: literal(owner), until: fromNow(ms) };
  const claimed = await offsets.findOneAndUpdate({ _id: idOf(partition), ...passed('until') }, [{ $set: claim }], {
    returnDocument: 'after',
  });
  return claimed ?? undefined;
}

/** Renews the lease. False if another process has taken the partition. */
export const renewPartition = (
  offsets: Collection<Offset>,
  partition: GroupPartition,
  owner: string,
  ms: number,
): Promise<boolean> => update(offsets, partition, owner, { until: fromNow(ms) });

/** Commits the group's position and renews the lease. False if another process has taken the partition. */
export const commitPosition = (
  offsets: Collection<Offset>,
  partition: GroupPartition,
  owner: string,
  { offset, attempts }: Position,
  ms: number,
): Promise<boolean> => update(offsets, partition, owner, { offset: Number(offset) - 1, attempts, until: fromNow(ms) });

async function update(
  offsets: Collection<Offset>,
  partition: GroupPartition,
  owner: string,
  $set: Document,
): Promise<boolean> {
  return (await offsets.updateOne({ _id: idOf(partition), owner }, [{ $set }])).matchedCount === 1;
}

/** Releases the partition to any process that has work in it. */
export async function releasePartition(
  offsets: Collection<Offset>,
  partition: GroupPartition,
  owner: string,
): Promise<void> {
  await offsets.updateOne({ _id: idOf(partition), owner }, { $unset: { owner: 1, until: 1 } });
}
