import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Thread } from '../e2e/resources.ts';
import { expectDone } from './check.ts';
import { a, theirs } from './given.ts';
import { EMAILS, newParent } from './thread-kinds.ts';
import { blockTests, threadTests } from './threads.ts';

const { api } = a;

describe('an email', () => {
  threadTests(EMAILS);

  test('has its subject and the address of its sender', async () => {
    const { list, open } = await newParent(EMAILS);
    const [id] = await open([{ email: 'eve@example.com', subject: ' Tea <b>🙂</b> ' }]);
    const { subject, from_email } = must(await api.get<Thread>(`${list}/${id}`));
    expect(subject!.trim()).toBe('Tea <b>🙂</b>');
    expect(from_email).toBe('eve@example.com');
  });

  test('is answered without a persona: a persona_id is an extra field, and ignored', async () => {
    const { list, open } = await newParent(EMAILS);
    const [id] = await open([{}]);
    for (const persona_id of ['nope!', theirs.ids.persona, 7])
      expectDone(await api.post(`${list}/${id}/reply`, { message: 'Hi.', persona_id }));
  });
});

describe('a block of an email', () => blockTests(EMAILS));
