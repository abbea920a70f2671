import type { Admin } from 'kafkajs';

const LONGEST_S = 30 * 86_400;
const HALVINGS = 3;

/**
 * Age in seconds, to within a tenth, of the oldest message that a group has not handled; 0 where it has handled all.
 *
 * A broker does not tell the time of a message without sending it. But it tells the first message that is not older than
 * a given time: where that one lies behind the group's place, the message at the place is older. So the age is searched
 * for, by doubling and then halving; it is known for groups that no process works for, too.
 */
export async function ageOf(admin: Admin, topic: string, groupId: string): Promise<number> {
  const waiting = await waitingPlaces(admin, topic, groupId);
  if (waiting.size === 0) return 0;
  const now = Date.now();

  async function isOlderThan(seconds: number): Promise<boolean> {
    const younger = await admin.fetchTopicOffsetsByTimestamp(topic, now - Math.round(seconds * 1000));
    return younger.some(({ partition, offset }) => BigInt(offset) > (waiting.get(partition) ?? BigInt(offset)));
  }

  let [low, high] = [0, 1];
  while (high < LONGEST_S && (await isOlderThan(high))) [low, high] = [high, high * 2];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (await isOlderThan(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The offset that the group goes on with, for each partition where it has not come to the end. */
async function waitingPlaces(admin: Admin, topic: string, groupId: string): Promise<Map<number, bigint>> {
  const [told] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const waiting = new Map<number, bigint>();
  for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
    const offset = BigInt(told?.partitions.find((p) => p.partition === partition)?.offset ?? -1);
    const place = offset < BigInt(low) ? BigInt(low) : offset;
    if (place < BigInt(high)) waiting.set(partition, place);
  }
  return waiting;
}
