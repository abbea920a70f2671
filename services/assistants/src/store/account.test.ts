import { afterAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { freshDatabase, unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { assistantStore } from './assistants.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const store = assistantStore(client.db(database.name));
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('no assistant is read or written without an account, except by public id or alias and to say why one is refused', async () => {
  const [account, chatbot, form, inbox, item] = [randomId(), randomId(), randomId(), randomId(), randomId()];
  const embeddable = { title: 'Bot', allowed_domains: [] };
  await store.createTicketForm(account, form, { ...embeddable, fields: [] });
  const shown = await store.createChatbot(account, chatbot, { ...embeddable, ticket_form: form });
  const named = { title: 'Inbox', description: null };
  const made = await store.createEmailInbox(account, inbox, { ...named, alias: 'one' });
  /** Every function of the store. A new one has to be added here, or the test fails. */
  const calls: Record<keyof typeof store, () => unknown> = {
    createChatbot: () => store.createChatbot(account, randomId(), embeddable),
    updateChatbot: () => store.updateChatbot(account, chatbot, randomId(), { title: 'Other' }),
    createTicketForm: () => store.createTicketForm(account, randomId(), { ...embeddable, fields: [] }),
    updateTicketForm: () => store.updateTicketForm(account, form, randomId(), { title: 'Other' }, (fields) => fields),
    createEmailInbox: () => store.createEmailInbox(account, randomId(), { ...named, alias: 'two' }),
    updateEmailInbox: () => store.updateEmailInbox(account, inbox, randomId(), { alias: 'three' }),
    assistant: () => store.assistant(account, 'chatbot', chatbot),
    list: () => store.list(account, 'chatbot'),
    ownerOf: () => store.ownerOf('chatbot', chatbot),
    publicChatbot: () => store.publicChatbot(shown.public_id),
    publicTicketForm: () => store.publicTicketForm(shown.public_id),
    setIdentity: () => store.setIdentity(account, chatbot, randomId()),
    stopNotices: () => store.stopNotices(account, form, 'ann@example.com'),
    forgetForm: () => store.forgetForm({ _id: form, account }),
    attach: () => store.attach(account, chatbot, item),
    detach: () => store.detach(account, chatbot, item, randomId()),
    find: () => store.find(account, chatbot),
    isDeleted: () => store.isDeleted(account, item),
    forgetItem: () => store.forgetItem(account, item),
    sweepItem: () => store.sweepItem(account, item),
    settleAliases: () => store.settleAliases(made),
    deleteChatbot: () => store.deleteChatbot(account, chatbot, randomId()),
    deleteTicketForm: () => store.deleteTicketForm(account, form, randomId()),
    deleteEmailInbox: () => store.deleteEmailInbox(account, inbox, randomId()),
  };
  const unscoped: Record<string, Set<string>> = {};
  for (const [name, call] of Object.entries(calls)) {
    const commands = await unscopedCommands(client, call);
    if (commands.length > 0) unscoped[name] = new Set(commands.map(withoutTokens));
  }
  // Aliases are unique over all accounts: reservations, and the inbox that has one.
  const aliases = (...names: string[]) =>
    names.flatMap((alias) => [
      `find {"_id":"${alias}"}`,
      `find {"alias":"${alias}","kind":"email_inbox","deleted_at":null}`,
      `findAndModify {"_id":"${alias}","token":"…"}`,
    ]);
  expect(unscoped).toEqual({
    ownerOf: new Set([`find {"_id":"${chatbot}","kind":"chatbot","deleted_at":null}`]),
    publicChatbot: new Set([`find {"public_id":"${shown.public_id}","kind":"chatbot","deleted_at":null}`]),
    publicTicketForm: new Set([`find {"public_id":"${shown.public_id}","kind":"ticket_form","deleted_at":null}`]),
    createEmailInbox: new Set(aliases('two')),
    updateEmailInbox: new Set(aliases('one', 'three')),
    settleAliases: new Set(aliases('one').slice(0, 2)),
    deleteEmailInbox: new Set([...aliases('three'), ...aliases('one').slice(0, 2)]),
  });

  const refused = () => store.assistant(randomId(), 'ticket_form', form).catch(() => {});
  expect(await unscopedCommands(client, refused)).toHaveLength(1);
});

const withoutTokens = (command: string) => command.replace(/"token":"[^"]*"/, '"token":"…"');
