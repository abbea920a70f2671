import type { Admin } from 'kafkajs';

/** A group's lag in one partition: from its committed offset to the end. */
export interface Waiting {
  partition: number;
  from: bigint;
  to: bigint;
}

/** The partitions in which a group has not reached the end. The group need not have a running process. */
export async function waitingFor(admin: Admin, topic: string, groupId: string): Promise<Waiting[]> {
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const ends = await admin.fetchTopicOffsets(topic);
  const waiting = ends.map(({ partition, low, high }) => {
    const offset = BigInt(committed?.partitions.find((p) => p.partition === partition)?.offset ?? -1);
    return { partition, from: offset < BigInt(low) ? BigInt(low) : offset, to: BigInt(high) };
  });
  return waiting.filter(({ from, to }) => from < to);
}

/** How many messages of a topic a group has not handled. */
export async function lagOf(admin: Admin, topic: string, groupId: string): Promise<number> {
  const waiting = await waitingFor(admin, topic, groupId);
  return waiting.reduce((sum, { from, to }) => sum + Number(to - from), 0);
}
