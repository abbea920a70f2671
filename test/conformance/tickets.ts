import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Persona } from '../e2e/resources.ts';
import { expectDone, expectRefused } from './check.ts';
import { a, mine, storesNothing, theirs } from './given.ts';
import { conversationAt, newParent, TICKETS } from './thread-kinds.ts';
import { blockTests, threadTests } from './threads.ts';

const { api } = a;

describe('a ticket', () => threadTests(TICKETS));
describe('a block of a ticket', () => blockTests(TICKETS));

describe('the persona of a reply', () => {
  test('may be one of the account, in any case of its id, or null', async () => {
    const { list, open } = await newParent(TICKETS);
    const [id] = await open([{}]);
    const at = `${list}/${id}`;
    const { persona } = mine.ids;
    for (const persona_id of [persona, persona.toUpperCase(), null, undefined])
      expectDone(await api.post(`${at}/reply`, { message: 'Hi.', persona_id }));
    const conversation = (await conversationAt(at))!;
    expect(conversation.slice(1)).toEqual(Array(4).fill({ role: 'assistant', message: 'Hi.' }));
  });

  const at = `/ticket-form/${mine.ids.form}/tickets/${mine.ids.ticket}`;
  storesNothing([at], () => {
    test.each<[string, unknown]>([
      ['unknown', randomUUID()],
      ["another account's", theirs.ids.persona],
      ['malformed', 'nope!'],
      ['empty', ''],
      ['of the wrong type', 7],
      ['a list', [mine.ids.persona]],
      ['the id of something else', mine.ids.form],
    ])('that is %s is a 400', async (_, persona_id) => {
      expectRefused(await api.post(`${at}/reply`, { message: 'Hi.', persona_id }), 400, 'persona');
    });
  });

  test('that was deleted is a 400; what was sent in its name stays', async () => {
    const persona = must(await api.post<Persona>('/personas', { name: 'Brief' }));
    const { list, open } = await newParent(TICKETS);
    const [id] = await open([{}]);
    const reply = { message: 'As Brief.', persona_id: persona.id };
    expectDone(await api.post(`${list}/${id}/reply`, reply));
    must(await api.del(`/persona/${persona.id}`));
    expectRefused(await api.post(`${list}/${id}/reply`, reply), 400, 'persona');
    expect((await conversationAt(`${list}/${id}`))!.length).toBe(2);
  });
});
