import { describe, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from '../e2e/api.ts';
import type { Draft, Thread } from '../e2e/resources.ts';
import { expectData, expectDone, expectRefused } from './check.ts';
import { a } from './given.ts';
import { EMAILS, newParent, TICKETS } from './thread-kinds.ts';

const { api } = a;

const QUESTION = 'Which leaves make white tea?';

describe.each([
  ['ticket', TICKETS],
  ['email', EMAILS],
] as const)('the AI in a %s', (_, kind) => {
  /** A thread with a question that the knowledge answers, which the AI has been asked to answer. */
  async function drafted() {
    const faq = await a.faq('Tea', { [QUESTION]: 'White tea is made of young leaves.' });
    await a.train(faq);
    const { parent, list, open } = await newParent(kind);
    must(await api.put(`${kind.parent}/${parent.id}/knowledge`, { knowledge_id: faq.id }));
    const [id] = await open([{ message: QUESTION }]);
    const at = `${list}/${id}`;
    // Off and on again, or it would wait for the end of the quiet time.
    expectData(await api.put(`${at}/ai`, { on: false }), { ai: 'held' });
    expectData(await api.put(`${at}/ai`, { on: true }), { ai: 'pending' });
    await until(async () => (await api.get(`${at}/draft`)).status === 200);
    return at;
  }

  const aiOf = async (at: string) => must(await api.get<Thread>(at)).ai;

  test('drafts an answer, which the owner changes and sends', async () => {
    const at = await drafted();
    expect(await aiOf(at)).toBe('draft');
    const draft = must(await api.get<Draft>(`${at}/draft`));
    expect(draft).toMatchObject({
      confidence: expect.any(String),
      sources: [{ n: 1 }],
      created_at: expect.any(String),
    });
    expect(draft.message).toContain('young leaves');
    const changed = must(await api.put<Draft>(`${at}/draft`, { message: 'Of young leaves.' }));
    expect(changed).toMatchObject({ message: 'Of young leaves.', sources: [] });
    expectDone(await api.post(`${at}/draft/send`));
    const { conversation } = must(await api.get<Thread>(at));
    expect(conversation?.map(({ role, message }) => `${role}: ${message}`)).toEqual([
      `user: ${QUESTION}`,
      'assistant: Of young leaves.',
    ]);
    expect(await aiOf(at)).toBe('answered');
    expectRefused(await api.post(`${at}/draft/send`), 404, 'draft');
  });

  test('has its draft discarded, and stays out until it is let in again', async () => {
    const at = await drafted();
    expectDone(await api.del(`${at}/draft`));
    expectRefused(await api.get(`${at}/draft`), 404, 'draft');
    expectDone(await api.del(`${at}/draft`));
    expectData(await api.put(`${at}/ai`, { on: false }), { ai: 'held' });
    expect(await aiOf(at)).toBe('held');
    expect(must(await api.get<Thread>(at)).conversation).toHaveLength(1);
  });
});

describe.each([
  ['/ticket-forms', '/ticket-form', TICKETS],
  ['/email-inboxes', '/email-inbox', EMAILS],
] as const)('ai_reply and notify of %s', (list, one, { createParent }) => {
  test('are given at first or later, and null brings back the default', async () => {
    const notify = ['ann@example.com'];
    const made = must(await api.post<{ id: string }>(list, { ...createParent(), ai_reply: 'auto', notify }));
    expect(made).toMatchObject({ ai_reply: 'auto', notify });
    const at = `${one}/${made.id}`;
    expectData(await api.patch(at, { ai_reply: 'off' }), { ...made, ai_reply: 'off' });
    expectData(await api.patch(at, { ai_reply: null, notify: null }), { ...made, ai_reply: 'draft', notify: [] });
    for (const wrong of [{ ai_reply: 'AUTO' }, { ai_reply: '' }, { ai_reply: 1 }])
      expectRefused(await api.patch(at, wrong), 400, 'ai_reply');
    for (const wrong of [{ notify: 'ann@example.com' }, { notify: ['ann'] }, { notify: Array(21).fill(notify[0]) }])
      expectRefused(await api.patch(at, wrong), 400, 'notify');
  });
});
