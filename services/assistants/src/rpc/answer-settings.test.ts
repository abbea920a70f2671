import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { assistantDocs, assistants, call } from '../testing/assistants.ts';

const as = (account: string, operation = randomId()) => call({ account, operation }).onward();

interface Answers {
  greeting?: string;
  tone?: string;
  noEvidenceMessage?: string;
  lowConfidenceMessage?: string;
  faqFirst?: boolean;
}

const kinds = {
  chatbot: {
    create: async (account: string) => (await assistants.createChatbot({ title: 'One' }, as(account))).chatbot!,
    update: async (account: string, id: string, answers: Answers, operation?: string) =>
      (await assistants.updateChatbot({ id, answers }, as(account, operation))).chatbot!,
    list: async (account: string) => (await assistants.listChatbots({}, as(account))).chatbots,
  },
  'ticket form': {
    create: async (account: string) => (await assistants.createTicketForm({ title: 'One' }, as(account))).ticketForm!,
    update: async (account: string, id: string, answers: Answers, operation?: string) =>
      (await assistants.updateTicketForm({ id, answers }, as(account, operation))).ticketForm!,
    list: async (account: string) => (await assistants.listTicketForms({}, as(account))).ticketForms,
  },
  'email inbox': {
    create: async (account: string) => {
      const alias = `in-${randomId().slice(0, 18)}`;
      return (await assistants.createEmailInbox({ title: 'One', alias }, as(account))).emailInbox!;
    },
    update: async (account: string, id: string, answers: Answers, operation?: string) =>
      (await assistants.updateEmailInbox({ id, answers }, as(account, operation))).emailInbox!,
    list: async (account: string) => (await assistants.listEmailInboxes({}, as(account))).emailInboxes,
  },
};

test.each(Object.entries(kinds))(
  'the answers of a %s are set one by one, listed, and cleared by an empty text',
  async (_, kind) => {
    const account = randomId();
    const { id, answers } = await kind.create(account);
    expect(answers).toBeUndefined();
    expect((await kind.update(account, id, { greeting: ' Hi 🙂 $now ' })).answers).toMatchObject({
      greeting: ' Hi 🙂 $now ',
      faqFirst: false,
    });
    const others = { tone: 'brief', noEvidenceMessage: 'Call us.', lowConfidenceMessage: 'Perhaps:', faqFirst: true };
    const changed = await kind.update(account, id, others);
    expect(changed.answers).toMatchObject({ greeting: ' Hi 🙂 $now ', ...others });
    expect(await kind.list(account)).toEqual([changed]);
    const none = { greeting: '', tone: '', lowConfidenceMessage: '', faqFirst: false };
    const cleared = await kind.update(account, id, none);
    expect(cleared.answers).toEqual(expect.objectContaining({ noEvidenceMessage: 'Call us.', faqFirst: false }));
    for (const field of ['greeting', 'tone', 'lowConfidenceMessage']) expect(cleared.answers).not.toHaveProperty(field);
  },
);

test.each(Object.entries(kinds))('an update of a %s that comes again late changes nothing', async (_, kind) => {
  const [account, operation] = [randomId(), randomId()];
  const { id } = await kind.create(account);
  await kind.update(account, id, { tone: 'first' }, operation);
  await kind.update(account, id, { greeting: 'Hello.' });
  const again = await kind.update(account, id, { greeting: 'Hello.' });
  expect(again.answers).toMatchObject({ tone: 'first', greeting: 'Hello.' });
  const [one, other] = [randomId(), randomId()];
  await Promise.all([
    kind.update(account, id, { greeting: 'One.' }, one),
    kind.update(account, id, { tone: 'two' }, other),
    kind.update(account, id, { greeting: 'One.' }, one),
  ]);
  expect((await kind.list(account))[0]!.answers).toMatchObject({ greeting: 'One.', tone: 'two' });
});

/** Returns the document without what its relay changes. */
async function stored(id: string) {
  const { outbox, outbox_due, outbox_claim, ...document } = (await assistantDocs.findOne({ _id: id }))!;
  return document;
}

test.each<[Answers, string]>([
  [{ greeting: ' ' }, 'greeting must not be blank.'],
  [{ greeting: '🙂'.repeat(501) }, 'greeting must have at most 500 characters.'],
  [{ tone: '\n' }, 'tone must not be blank.'],
  [{ tone: 'x'.repeat(201) }, 'tone must have at most 200 characters.'],
  [{ noEvidenceMessage: '\t' }, 'no_evidence_message must not be blank.'],
  [{ noEvidenceMessage: 'x'.repeat(501) }, 'no_evidence_message must have at most 500 characters.'],
  [{ lowConfidenceMessage: ' ' }, 'low_confidence_message must not be blank.'],
  [{ lowConfidenceMessage: 'x'.repeat(501) }, 'low_confidence_message must have at most 500 characters.'],
])('%j is refused, and nothing is stored', async (answers, message) => {
  const account = randomId();
  for (const kind of Object.values(kinds)) {
    const { id } = await kind.create(account);
    const before = await stored(id);
    await expect(kind.update(account, id, answers)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: message,
    });
    expect(await stored(id)).toEqual(before);
  }
});

test("another account's assistant cannot be changed", async () => {
  for (const kind of Object.values(kinds)) {
    const { id } = await kind.create(randomId());
    await expect(kind.update(randomId(), id, { tone: 'mine' })).rejects.toMatchObject({ code: Code.PermissionDenied });
  }
});

test('long settings count towards what lists can show', async () => {
  const account = randomId();
  const { id } = await kinds.chatbot.create(account);
  await kinds.chatbot.update(account, id, { greeting: '🙂'.repeat(500) });
  expect((await assistantDocs.findOne({ _id: id }))!.large).toBeGreaterThan(2_000);
});
