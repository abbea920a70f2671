import { create, toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { ASSISTANTS_TOPIC } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { answer, ask, busOfTest, database } from './testing/conversations.ts';
import { everythingOf, open } from './testing/tickets.ts';

const deleted = (accountId: string, entityId: string) => {
  const id = randomId();
  const event = create(EventSchema, { id, accountId, entityId, fact: { case: 'assistantDeleted', value: {} } });
  return busOfTest().publish(ASSISTANTS_TOPIC, [{ key: entityId, id, value: toBinary(EventSchema, event) }]);
};

const stampOf = async (account: string) => {
  const stamp = await database().collection('list_stamps').findOne({ account, day: null });
  return stamp?.['n'] as number;
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
    ({ threads, entries, stamps }) => threads.length === 1 && entries.length === 1 && stamps.length === 2,
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

test('the event of a change bumps the stamps again, in case its process died before it did', async () => {
  const { account } = await open();
  await until(
    () => stampOf(account),
    (n) => n === 2,
  );
});
