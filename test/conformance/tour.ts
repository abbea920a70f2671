/** An outside client that follows the document alone, from the first request to the last, with plain HTTP requests. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type {
  Blocked,
  Chat,
  Chatbot,
  EmailInbox,
  FaqItem,
  KnowledgeItem,
  Page,
  Reply,
  Thread,
  TicketForm,
} from '../e2e/resources.ts';
import { a, seed } from './given.ts';
import { unique } from './operations.ts';
import { opened } from './seed.ts';

/** Sends one request as curl would: only the documented headers, and reads `data`. */
async function curl<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }) };
  return must(await a.api.request<T>(method, path, { ...(body && { body }), headers }));
}

const trainedFaq = async (): Promise<KnowledgeItem> => {
  const faq = await curl<KnowledgeItem>('POST', '/knowledge/faq', { title: 'Harbour' });
  const at = `/knowledge/${faq.id}`;
  const answer = 'The ferry leaves at six.\n\nIt returns at eight.';
  await curl<FaqItem>('POST', `${at}/faq-item`, {
    question: 'When does the ferry leave?',
    answer,
    categories: ['Boats'],
  });
  expect(await curl('PUT', `${at}/train`)).toMatchObject({ is_training: true, trained_at: null });
  return until(
    () => curl<KnowledgeItem>('GET', at),
    ({ is_training }) => !is_training,
  );
};

describe('a client that follows the document', () => {
  test('trains knowledge, attaches it, asks a chatbot, reads the chat and blocks its visitor', async () => {
    const faq = await trainedFaq();
    expect(faq).toMatchObject({ trained_at: expect.any(String), training_failed_at: null });
    const { public_id: bot } = await curl<Chatbot>('POST', '/chatbots', { title: 'Harbour' });
    const at = `/chatbot/${bot}`;
    expect(await curl('PUT', `${at}/knowledge`, { knowledge_id: faq.id })).toBeUndefined();
    const first = await curl<Reply>('POST', `${at}/reply`, { message: 'When does the ferry leave?' });
    expect(first.message).toContain('six');
    const { session_id } = first;
    await curl<Reply>('POST', `${at}/reply`, { message: 'When does it return?', session_id });
    const { items } = await curl<Page<Chat>>('GET', `${at}/chats?created_after=2020-01-01&limit=10`);
    expect(items.map((chat) => chat.session_id)).toEqual([session_id]);
    const chat = await curl<Chat>('GET', `${at}/chats/${items[0]!.id}`);
    expect(chat.conversation.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const blocked = await curl<Blocked>('PUT', `${at}/chats/${chat.id}/block`);
    expect(blocked).toEqual({ items: [{ target: chat.id, targetType: 'CHAT', status: 'ACTIVE' }], failed: [] });
    expect((await a.api.post(`${at}/reply`, { message: 'And now?', session_id })).status).toBe(403);
    expect(await curl('DELETE', `${at}/knowledge`, { knowledge_id: faq.id })).toBeUndefined();
    expect((await curl<KnowledgeItem>('DELETE', `/knowledge/${faq.id}`)).id).toBe(faq.id);
  });

  test.each(['ticket', 'email'] as const)('works through the queue of a new parent: each %s', async (kind) => {
    const isTicket = kind === 'ticket';
    const parent = isTicket
      ? await curl<TicketForm>('POST', '/ticket-forms', { title: 'Harbour', fields: [{ name: 'Boat?', type: 'TEXT' }] })
      : await curl<EmailInbox>('POST', '/email-inboxes', { alias: unique(), title: 'Harbour' });
    const name = 'alias' in parent ? parent.alias : parent.public_id;
    const at = isTicket ? `/ticket-form/${name}/tickets` : `/email-inbox/${name}/emails`;
    const row = { kind, parent: { id: parent.id }, email: 'skipper@example.com', message: 'Is my boat ready?' };
    await opened(seed, Array(3).fill(isTicket ? row : { ...row, subject: 'Boat' }));

    for (let left = 3; left > 0; left--) {
      const queue = await curl<Page<Thread>>('GET', `${at}?status=open&limit=1`);
      expect(queue).toMatchObject({ total: left, has_more: left > 1 });
      const thread = `${at}/${queue.items[0]!.id}`;
      await curl('PUT', thread, { status: 'assigned', priority: 'high' });
      await curl('POST', `${thread}/reply`, { message: 'It is.' });
      await curl('PUT', thread, { status: 'closed' });
      expect(await curl<Thread>('GET', thread)).toMatchObject({
        status: 'closed',
        priority: 'high',
        conversation: [
          { role: 'user', message: 'Is my boat ready?' },
          { role: 'assistant', message: 'It is.' },
        ],
      });
    }
    const closed = await curl<Page<Thread>>('GET', `${at}?status=closed`);
    expect(closed.total).toBe(3);
    const { items } = await curl<Blocked>('PUT', `${at}/${closed.items[0]!.id}/block`);
    expect(items).toEqual([{ target: closed.items[0]!.id, targetType: kind.toUpperCase(), status: 'ACTIVE' }]);
    expect((await seed([isTicket ? row : { ...row, subject: 'Boat' }])).ids).toEqual([]);
  });
});
