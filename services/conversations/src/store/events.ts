import { type EventPayload, outbox } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { Author, Change } from '../domain/entries.ts';
import type { Confidence, Outcome } from '../domain/evidence.ts';
import { changeId, type ThreadDoc } from './model.ts';
import type { NewEntry } from './stages.ts';

type Of = Pick<ThreadDoc, 'assistant' | 'kind'>;

export const messageAdded = ({ assistant, kind }: Of, entry: string, by: Author): EventPayload => ({
  case: 'threadMessageAdded',
  value: { assistantId: assistant, messageId: entry, by, kind },
});

export const chatMessageAdded = ({ assistant }: Of, entry: string): EventPayload => ({
  case: 'chatMessageAdded',
  value: { chatbotId: assistant, messageId: entry },
});

/** @param answer what the AI said, if anything */
export const answerEnded = (
  { assistant, kind }: Of,
  in_reply_to: string,
  outcome: Outcome,
  answer?: { _id: string; confidence?: Confidence | null },
): EventPayload => ({
  case: 'answerEnded',
  value: {
    ...{ assistantId: assistant, kind, inReplyTo: in_reply_to, outcome },
    ...{ messageId: answer?._id ?? '', confidence: answer?.confidence ?? '' },
  },
});

export const draftMade = (
  { assistant, kind }: Of,
  inReplyTo: string,
  confidence: Confidence | null | undefined,
): EventPayload => ({
  case: 'draftMade',
  value: { assistantId: assistant, kind, inReplyTo, confidence: confidence ?? 'low' },
});

/** Stages of the write of a mail, which says the rest. @param when whether it has ended */
export const mailEnded = (outcome: 'sent' | 'failed', when: unknown = true): Document[] =>
  outbox(
    { case: 'mailEnded', value: { outcome } },
    { when, computed: { assistantId: '$assistant', kind: '$kind', threadId: '$thread', messageId: '$_id' } },
  );

export const userBlocked = ({ assistant, kind, _id }: Of & Pick<ThreadDoc, '_id'>, block: boolean): EventPayload => ({
  case: 'userBlocked',
  value: { assistantId: assistant, kind, threadId: _id, lifted: !block },
});

/** A person has to see to it. */
export const waiting = ({ assistant }: Of): EventPayload => ({
  case: 'threadWaiting',
  value: { assistantId: assistant },
});

export function changed({ assistant: assistantId, kind }: Of, { field, from, to }: Change): EventPayload {
  const value = { assistantId, from: from ?? '', to, kind };
  return field === 'status' ? { case: 'threadStatusChanged', value } : { case: 'threadPriorityChanged', value };
}

/** The entry of a change, which is the thread's history. */
export const changeEntry = (op: string, change: Change): NewEntry => ({
  _id: changeId(op, change.field),
  by: 'system',
  text: '',
  change,
});
