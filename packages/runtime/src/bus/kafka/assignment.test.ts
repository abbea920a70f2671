import { expect, test } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { createAssignment } from './assignment.ts';

/** An assignment whose work lasts until it is aborted, and a consumer that asks to join. */
function newAssignment() {
  const assignment = createAssignment(
    (_, stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve())),
  );
  const assigner = assignment.assigner({ cluster: {} } as Parameters<typeof assignment.assigner>[0]);
  const join = () => assigner.protocol({ topics: ['t'] });
  const batch = { partition: 0, lastOffset: () => '0' };
  const payload = { batch, resolveOffset: () => {}, pause: () => () => {} } as unknown as EachBatchPayload;
  const begin = async () => {
    await assignment.eachBatch(payload);
    await assignment.eachBatch(payload); // The first batch after joining is fetched again.
  };
  return { assignment, join, begin };
}

const stopped = () => new Promise((resolve) => setImmediate(resolve));

test('a consumer rejoins once its work has stopped, and accepts more only then', async () => {
  const { assignment, join, begin } = newAssignment();
  assignment.open();
  await begin();
  expect(join).toThrow('Handlers are running.');
  expect(assignment.isOpen()).toBe(false);
  await stopped();
  join();
  expect(assignment.isOpen()).toBe(false);
  assignment.open();
  expect(assignment.isOpen()).toBe(true);
});

test('work that began before the consumer joined twice in a row still stops', async () => {
  const { assignment, join, begin } = newAssignment();
  assignment.open();
  await begin();
  assignment.open();
  expect(join).toThrow('Handlers are running.');
  await stopped();
  join();
});

test('a closed consumer never joins again', async () => {
  const { assignment, join, begin } = newAssignment();
  assignment.open();
  await begin();
  await assignment.close();
  expect(join).toThrow('This consumer was given up.');
  assignment.open();
  expect(assignment.isOpen()).toBe(false);
});

test('a batch that was fetched before the consumer rejoined is not processed', async () => {
  const worked: string[] = [];
  const assignment = createAssignment(async ({ batch }) => void worked.push(batch.lastOffset()));
  const fetched = (lastOffset: string) => {
    const resolved: string[] = [];
    const resolveOffset = (offset: string) => void resolved.push(offset);
    const batch = { partition: 0, lastOffset: () => lastOffset };
    const payload = { batch, resolveOffset, pause: () => () => {} } as unknown as EachBatchPayload;
    return { resolved, handed: assignment.eachBatch(payload) };
  };
  assignment.open();
  const late = fetched('900');
  await late.handed;
  await fetched('100').handed;
  expect(worked).toEqual(['100']);
  expect(late.resolved).toEqual([]); // kafkajs resumes at the group's position, not after this batch.
});
