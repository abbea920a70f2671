import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { assistants, call, shop } from '../testing/assistants.ts';

const change = async (account: string, id: string, appearance: object) =>
  (await assistants.updateChatbot({ id, appearance }, call({ account }).onward())).chatbot!.appearance;

test('what visitors get of a chatbot is set field by field, and cleared again', async () => {
  const { account, chatbot } = await shop();
  expect(chatbot.appearance).toBeUndefined();
  const { ticketForm } = await assistants.createTicketForm({ title: 'F' }, call({ account }).onward());
  await change(account, chatbot.id, { suggestions: { values: ['$One?', 'Two?'] }, colour: '#AABBCC' });
  const set = await change(account, chatbot.id, { ticketFormId: ticketForm!.id, visitorMessagesPerDay: 500 });
  const ticketFormId = ticketForm!.id;
  expect(set).toMatchObject({
    suggestions: ['$One?', 'Two?'],
    colour: '#aabbcc',
    ticketFormId,
    visitorMessagesPerDay: 500,
  });
  await change(account, chatbot.id, {
    suggestions: { values: [] },
    colour: '',
    ticketFormId: '',
    visitorMessagesPerDay: 0,
  });
  expect(await change(account, chatbot.id, {})).toMatchObject({ suggestions: [] });
  for (const field of ['colour', 'ticketFormId', 'visitorMessagesPerDay'])
    expect(await change(account, chatbot.id, {})).not.toHaveProperty(field);
});

test('a new chatbot can have its appearance and its greeting from the start', async () => {
  const appearance = { suggestions: { values: ['Why?'] }, colour: '#000000' };
  const request = { title: 'Bot', answers: { greeting: 'Hello!' }, appearance };
  const { chatbot } = await assistants.createChatbot(request, call({ account: randomId() }).onward());
  expect(chatbot).toMatchObject({
    answers: { greeting: 'Hello!' },
    appearance: { suggestions: ['Why?'], colour: '#000000' },
  });
});

test('what is out of bounds or another account’s form is refused, and names the field', async () => {
  const { account, chatbot } = await shop();
  const other = await assistants.createTicketForm({ title: 'F' }, call({ account: randomId() }).onward());
  const wrong: [string, object][] = [
    ['suggestions', { suggestions: { values: Array(5).fill('Why?') } }],
    ['suggestions[1]', { suggestions: { values: ['Why?', ' '] } }],
    ['suggestions[0]', { suggestions: { values: ['x'.repeat(101)] } }],
    ['colour', { colour: 'red' }],
    ['colour', { colour: '#12345' }],
    ['visitor_messages_per_day', { visitorMessagesPerDay: 1_000_001 }],
    ['ticket_form_id', { ticketFormId: randomId() }],
    ['ticket_form_id', { ticketFormId: other.ticketForm!.id }],
    ['ticket_form_id', { ticketFormId: chatbot.id }],
  ];
  for (const [field, appearance] of wrong)
    await expect(change(account, chatbot.id, appearance)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(field),
    });
  expect(await change(account, chatbot.id, {})).toBeUndefined();
});
