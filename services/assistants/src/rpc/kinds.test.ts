import { fromBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { describe, expect, test } from '@jest/globals';
import { AssistantKind, FormFieldType } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { ASSISTANTS_TOPIC } from '@parley/runtime/bus';
import { OPERATOR, randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { assistantDocs, assistants, bus, call, knowledge } from '../testing/assistants.ts';

/** Rules of every kind of assistant. */

const as = (account: string, operation = randomId()) => call({ account, operation }).onward();
const fresh = () => `k-${randomId().slice(0, 18)}`;

interface Assistant {
  id: string;
  title: string;
  publicId?: string;
  alias?: string;
}
type Options = ReturnType<typeof as>;

interface KindOfAssistant {
  kind: AssistantKind;
  create(options: Options): Promise<Assistant>;
  get(id: string, options: Options): Promise<Assistant>;
  list(options: Options): Promise<Assistant[]>;
  update(id: string, title: string | undefined, options: Options): Promise<Assistant>;
  remove(id: string, options: Options): Promise<Assistant>;
}

const titled = (id: string, title: string | undefined) => ({ id, ...(title !== undefined && { title }) });

const CHATBOT: KindOfAssistant = {
  kind: AssistantKind.CHATBOT,
  create: async (options) => (await assistants.createChatbot({ title: 'One' }, options)).chatbot!,
  get: async (id, options) => (await assistants.getChatbot({ id }, options)).chatbot!,
  list: async (options) => (await assistants.listChatbots({}, options)).chatbots,
  update: async (id, title, options) => (await assistants.updateChatbot(titled(id, title), options)).chatbot!,
  remove: async (id, options) => (await assistants.deleteChatbot({ id }, options)).chatbot!,
};
const TICKET_FORM: KindOfAssistant = {
  kind: AssistantKind.TICKET_FORM,
  create: async (options) => (await assistants.createTicketForm({ title: 'One' }, options)).ticketForm!,
  get: async (id, options) => (await assistants.getTicketForm({ id }, options)).ticketForm!,
  list: async (options) => (await assistants.listTicketForms({}, options)).ticketForms,
  update: async (id, title, options) => (await assistants.updateTicketForm(titled(id, title), options)).ticketForm!,
  remove: async (id, options) => (await assistants.deleteTicketForm({ id }, options)).ticketForm!,
};
const EMAIL_INBOX: KindOfAssistant = {
  kind: AssistantKind.EMAIL_INBOX,
  create: async (options) => (await assistants.createEmailInbox({ title: 'One', alias: fresh() }, options)).emailInbox!,
  get: async (id, options) => (await assistants.getEmailInbox({ id }, options)).emailInbox!,
  list: async (options) => (await assistants.listEmailInboxes({}, options)).emailInboxes,
  update: async (id, title, options) => (await assistants.updateEmailInbox(titled(id, title), options)).emailInbox!,
  remove: async (id, options) => (await assistants.deleteEmailInbox({ id }, options)).emailInbox!,
};

const names = ({ id, publicId, alias }: Assistant) => [id, id.toUpperCase(), publicId ?? alias!];
const notFound = { code: Code.NotFound };
const denied = { code: Code.PermissionDenied };

describe.each([
  ['a chatbot', CHATBOT, [TICKET_FORM, EMAIL_INBOX]],
  ['a ticket form', TICKET_FORM, [EMAIL_INBOX, CHATBOT]],
  ['an email inbox', EMAIL_INBOX, [CHATBOT, TICKET_FORM]],
] as const)('%s', (_, { kind, create, get, list, update, remove }, others) => {
  test('is changed by any of its names; an empty change succeeds', async () => {
    const account = randomId();
    const made = await create(as(account));
    for (const name of names(made)) {
      const title = `$${name}`;
      expect(await update(name, title, as(account))).toEqual({ ...made, title });
      expect(await update(name, undefined, as(account))).toEqual({ ...made, title });
    }
    await expect(update(made.id, ' ', as(account))).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('is not changed again by a retry of the last operation', async () => {
    const account = randomId();
    const { id } = await create(as(account));
    const operation = randomId();
    await Promise.all([1, 2, 3].map(() => update(id, 'Two', as(account, operation))));
    // As if someone else had changed it since without an operation of their own.
    await assistantDocs.updateOne({ _id: id }, { $set: { title: 'Three' } });
    expect(await update(id, 'Two', as(account, operation))).toMatchObject({ title: 'Three' });
  });

  test('is deleted once: the operation gets it again as it was, others get NOT_FOUND', async () => {
    const account = randomId();
    const made = await create(as(account));
    const kept = await create(as(account));
    const [, , name] = names(made);
    const operation = randomId();
    expect(await remove(name!, as(account, operation))).toEqual(made);
    for (const again of names(made)) {
      expect(await remove(again, as(account, operation))).toEqual(made);
      await expect(remove(again, as(account))).rejects.toMatchObject(notFound);
      await expect(get(again, as(account))).rejects.toMatchObject(notFound);
      await expect(update(again, 'Two', as(account))).rejects.toMatchObject(notFound);
      await expect(get(again, as(randomId()))).rejects.toMatchObject(notFound);
    }
    expect(await list(as(account))).toEqual([kept]);
    await expect(
      assistants.attachKnowledge({ kind, assistantId: made.id, knowledgeId: knowledge.add(account) }, as(account)),
    ).rejects.toMatchObject(notFound);
  });

  test('of concurrent deletions one succeeds, and one event is published', async () => {
    const account = randomId();
    const { id } = await create(as(account));
    const events: Event[] = [];
    const subscription = bus.subscribe({
      topic: ASSISTANTS_TOPIC,
      group: `test-${randomId()}`,
      handle: async ({ value }) => {
        const event = fromBinary(EventSchema, value);
        if (event.entityId === id) events.push(event);
      },
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => remove(id, as(account))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await until(() => events.length > 1);
    await until(async () => (await assistantDocs.findOne({ _id: id }))?.outbox?.length === 0);
    expect(events).toMatchObject([
      { accountId: account, entityId: id, seq: 1, payload: { case: 'assistantCreated' } },
      { accountId: account, entityId: id, seq: 2, payload: { case: 'assistantDeleted' } },
    ]);
    await subscription.close();
  });

  test('belongs to its account and is of its kind', async () => {
    const [account, thief] = [randomId(), randomId()];
    const made = await create(as(account));
    for (const name of names(made)) {
      for (const act of [get, remove, (id: string, options: Options) => update(id, 'Two', options)]) {
        await expect(act(name, as(thief))).rejects.toMatchObject(denied);
        for (const other of others) await expect(other.get(name, as(account))).rejects.toMatchObject(notFound);
      }
    }
    expect(await get(made.id, as(account))).toEqual(made);
    expect(await list(as(thief))).toEqual([]);
  });

  test('has its own knowledge, attached by any of its names', async () => {
    const account = randomId();
    const made = await create(as(account));
    const request = (assistantId: string) => ({ kind, assistantId });
    for (const name of names(made)) {
      const knowledgeId = knowledge.add(account);
      await assistants.attachKnowledge({ ...request(name), knowledgeId }, as(account));
      const { items } = await assistants.listAttachedKnowledge(request(name), as(account));
      expect(items.map(({ id }) => id)).toEqual([knowledgeId]);
      await assistants.detachKnowledge({ ...request(name), knowledgeId }, as(account));
      await expect(assistants.detachKnowledge({ ...request(name), knowledgeId }, as(account))).rejects.toMatchObject(
        notFound,
      );
    }
  });

  test('is listed newest first; an account can have 1,000 and no more', async () => {
    const account = randomId();
    const [first, second] = [await create(as(account)), await create(as(account))];
    await create(as(randomId()));
    expect(await list(as(account))).toEqual([second, first]);
    const { public_id, alias, ...row } = (await assistantDocs.findOne({ _id: first.id }))! as never as {
      _id: string;
      public_id?: string;
      alias?: string;
    };
    const more = Array.from({ length: 998 }, (_, i) => ({
      ...row,
      _id: randomId(),
      ...(public_id && { public_id: `${account} ${i}` }),
      ...(alias && { alias: `${account} ${i}` }),
    }));
    await assistantDocs.insertMany(more as never[]);
    await expect(create(as(account))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining('1000'),
    });
    expect(await list(as(account))).toHaveLength(1_000);
    // The other kinds have limits of their own.
    for (const other of others) await other.create(as(account));
    await remove(first.id, as(account));
    await create(as(account));
  });

  test('exists for its own account, until it is deleted', async () => {
    const account = randomId();
    const made = await create(as(account));
    const exists = async (owner: string) => (await assistants.assistantExists({ id: made.id }, as(owner))).exists;
    expect([await exists(account), await exists(randomId())]).toEqual([true, false]);
    await remove(made.id, as(account));
    expect(await exists(account)).toBe(false);
  });

  test('is resolved for the operator by any of its names, and for nobody else', async () => {
    const account = randomId();
    const made = await create(as(account));
    const operator = () => call({ account: undefined as never }, undefined, OPERATOR).onward();
    for (const id of names(made)) {
      const resolved = await assistants.resolveAssistant({ kind, id }, operator());
      expect(resolved).toMatchObject({ accountId: account, id: made.id });
      await expect(assistants.resolveAssistant({ kind, id }, as(account))).rejects.toMatchObject(denied);
      for (const other of others)
        await expect(assistants.resolveAssistant({ kind: other.kind, id }, operator())).rejects.toMatchObject(notFound);
    }
    await remove(made.id, as(account));
    await expect(assistants.resolveAssistant({ kind, id: made.id }, operator())).rejects.toMatchObject(notFound);
  });
});

test('deleted assistants are removed for good after a while', async () => {
  const account = randomId();
  const made = await Promise.all([CHATBOT, TICKET_FORM, EMAIL_INBOX].map(({ create }) => create(as(account))));
  for (const [i, { remove }] of [CHATBOT, TICKET_FORM, EMAIL_INBOX].entries()) await remove(made[i]!.id, as(account));
  const purged = { account, purged_at: { $type: 'date' as const } };
  await until(async () => (await assistantDocs.countDocuments(purged as object)) === 3);
  await assistantDocs.updateMany({ account }, { $set: { deleted_at: new Date(Date.now() - 3_600_000) } });
  await until(async () => (await assistantDocs.countDocuments({ account })) === 0);
});

test('only chatbots reply', async () => {
  const account = randomId();
  for (const { kind, create } of [TICKET_FORM, EMAIL_INBOX]) {
    const { id } = await create(as(account));
    await expect(assistants.reply({ kind, assistantId: id, message: 'Hello?' }, as(account))).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining('kind'),
    });
  }
});

test('lists fit into one message: what large assistants hold together is bounded', async () => {
  const account = randomId();
  const values = Array.from({ length: 200 }, (_, i) => ({ value: `${i}`.padEnd(200, '🙂'), label: 'l'.repeat(200) }));
  const fields = [{ name: 'Which?', type: FormFieldType.SELECT, defaultSelectValues: values }];
  const create = () => assistants.createTicketForm({ title: 'Large', fields }, as(account));
  let stored = 0;
  const fill = async () => {
    for (; stored < 20; stored++) await create();
  };
  await expect(fill()).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining('bytes'),
  });
  expect(await TICKET_FORM.list(as(account))).toHaveLength(stored);
  // A change counts, too.
  const { id } = await TICKET_FORM.create(as(account));
  await expect(assistants.updateTicketForm({ id, fields: { values: fields } }, as(account))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await TICKET_FORM.update(id, 'Small', as(account));
});
