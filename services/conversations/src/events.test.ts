import { create, toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { ASSISTANTS_TOPIC } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { answer, ask, busOf, busOfTest, database, existing } from './testing/conversations.ts';
import { everythingOf, open } from './testing/tickets.ts';

const deletion = (accountId: string, entityId: string) => {
  const id = randomId();
  const event = create(EventSchema, { id, accountId, entityId, payload: { case: 'assistantDeleted', value: {} } });
  return { key: entityId, id, value: toBinary(EventSchema, event) };
};
const deleted = (accountId: string, entityId: string) =>
  busOf('assistants').publish(ASSISTANTS_TOPIC, [deletion(accountId, entityId)]);

const versionOf = async (account: string) => {
  const version = await database().collection('list_versions').findOne({ account, day: null });
  return version?.['n'] as number;
};

test('when its assistant was deleted, nothing of a ticket or a chat is left, and no other begins', async () => {
  const account = randomId();
  const asked = await ask({ account });
  await answer(asked, 'Because.');
  const { assistantId } = await open({ account, assistantId: asked.assistant });
  const kept = await open({ account });
  await deleted(account, assistantId);
  const left = await until(
    () => everythingOf(account),
    ({ threads, entries, listVersions }) => threads.length === 1 && entries.length === 1 && listVersions.length === 2,
  );
  expect(left.threads).toMatchObject([{ _id: kept.thread.id }]);
  // What stays until late writers have ended.
  const tombstones = await database()
    .collection('threads')
    .find({ account, deleted_at: { $ne: null } })
    .toArray();
  expect(JSON.stringify(tombstones)).not.toMatch(/Why|Because|ann@example/);
  for (const refused of [open({ account, assistantId }), ask({ account, assistant: assistantId })])
    await expect(refused).rejects.toMatchObject({ code: Code.NotFound });
  expect(await everythingOf(account)).toEqual(left);
});

test('a deletion that is forged, contradicted by its owner, or of another account erases nothing', async () => {
  const { account, assistant } = await ask();
  const dead = new Map<string, string>();
  const subscription = busOfTest().subscribe({
    topic: `${ASSISTANTS_TOPIC}.dead`,
    group: randomId(),
    handle: async ({ id, headers }) => void dead.set(id, headers['parley-dead-reason']!),
  });
  const [forged, contradicted] = [deletion(account, assistant), deletion(account, assistant)];
  existing.add(assistant);
  await busOfTest().publish(ASSISTANTS_TOPIC, [forged]);
  await busOf('assistants').publish(ASSISTANTS_TOPIC, [contradicted]);
  await until(() => dead.has(forged.id) && dead.has(contradicted.id));
  await subscription.close();
  expect(dead.get(forged.id)).toBe('The message is not signed by assistants.');
  expect(dead.get(contradicted.id)).toBe('The assistants service still has this assistant.');
  existing.delete(assistant);

  const [mallory, later] = [randomId(), randomId()];
  await deleted(mallory, assistant);
  await deleted(mallory, later);
  const marks = database().collection('deleted_parents');
  await until(async () => (await marks.countDocuments({ account: mallory })) === 2);
  expect(await marks.countDocuments({ account })).toBe(0);
  const asked = await ask({ account, assistant });
  await answer(asked, 'Because.');
  expect((await everythingOf(account)).threads).toHaveLength(2);
});

test('the event of a change bumps the versions again, in case its process died before it did', async () => {
  const { account } = await open();
  await until(
    () => versionOf(account),
    (n) => n === 2,
  );
});
