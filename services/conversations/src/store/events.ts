import type { EventPayload } from '@parley/runtime/mongo';
import type { Author, Change } from '../domain/entries.ts';
import { changeId, type ThreadDoc } from './model.ts';
import type { NewEntry } from './stages.ts';

/** What an act in a ticket or an email tells others. */

type Of = Pick<ThreadDoc, 'assistant'>;

export const messageAdded = ({ assistant }: Of, entry: string, by: Author): EventPayload => ({
  case: 'threadMessageAdded',
  value: { assistantId: assistant, messageId: entry, by },
});

/** A person has to see to it. */
export const waiting = ({ assistant }: Of): EventPayload => ({
  case: 'threadWaiting',
  value: { assistantId: assistant },
});

export function changed({ assistant: assistantId }: Of, { field, from, to }: Change): EventPayload {
  const value = { assistantId, from: from ?? '', to };
  return field === 'status' ? { case: 'threadStatusChanged', value } : { case: 'threadPriorityChanged', value };
}

/** The entry of a change, which is the thread's history. */
export const changeEntry = (op: string, change: Change): NewEntry => ({
  _id: changeId(op, change.field),
  by: 'system',
  text: '',
  change,
});
