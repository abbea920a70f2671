import { timestampDate } from '@bufbuild/protobuf/wkt';
import { CATALOGUE, type DataOf, type EventName } from '@parley/catalogue';
import type { Event } from '@parley/proto/events/v1/events_pb';
import type { EventType } from '@parley/proto/events/v1/topics';
import type { NewEvent } from './domain/event.ts';

type Value<C extends EventType> = Extract<Event['payload'], { case: C }>['value'];

/** An event by name and data. */
export type AccountEvent = { [N in EventName]: { type: N; data: DataOf<N> } }[EventName];

/** Makes an account's event of one on the bus, which is about this entity; undefined if it is of another release. */
type Translate<C extends EventType> = (entity: string, value: Value<C>) => AccountEvent | undefined;

/** An enum of the catalogue, which says the same as the event on the bus. */
// biome-ignore lint/suspicious/noExplicitAny: a test compares what comes out with the schemas.
const as = (text: string): any => text;

interface Where {
  kind: string;
  assistantId: string;
}

const place = (conversation_id: string, { kind, assistantId }: Where) => ({
  kind: as(kind),
  conversation_id,
  assistant_id: assistantId,
});

/** Undefined for events of releases that did not say in what kind of conversation they happened. */
const placeOf = (conversation_id: string, of: Where) => (of.kind === '' ? undefined : place(conversation_id, of));

const ANSWERS = {
  answered: (place: DataOf<'answer.not_found'>, message_id: string, confidence: string): AccountEvent => ({
    type: 'answer.given',
    data: { ...place, message_id, confidence: as(confidence || 'low') },
  }),
  no_evidence: (data: DataOf<'answer.not_found'>): AccountEvent => ({ type: 'answer.not_found', data }),
  failed: (data: DataOf<'answer.failed'>): AccountEvent => ({ type: 'answer.failed', data }),
};

/** Turns each internal event into one for the account; undefined for those between services only. */
export const ACCOUNT_EVENTS: { [C in EventType]: Translate<C> } = {
  knowledgeItemCreated: (knowledge_id) => ({ type: 'knowledge.created', data: { knowledge_id } }),
  knowledgeItemChanged: (knowledge_id) => ({ type: 'knowledge.changed', data: { knowledge_id } }),
  knowledgeItemDeleted: (knowledge_id) => ({ type: 'knowledge.deleted', data: { knowledge_id } }),
  trainingQueued: (knowledge_id, { generation }) => ({ type: 'training.queued', data: { knowledge_id, generation } }),
  trainingCompleted: (knowledge_id, { generation, chunks }) => ({
    type: 'training.finished',
    data: { knowledge_id, generation, chunks },
  }),
  trainingFailed: (knowledge_id, { generation }) => ({ type: 'training.failed', data: { knowledge_id, generation } }),
  chatStarted: (chat_id, { chatbotId }) => ({ type: 'chat.begun', data: { chat_id, chatbot_id: chatbotId } }),
  ticketCreated: (ticket_id, { ticketFormId }) => ({
    type: 'ticket.opened',
    data: { ticket_id, ticket_form_id: ticketFormId },
  }),
  emailCreated: (email_id, { emailInboxId, automatic }) => ({
    type: 'email.opened',
    data: { email_id, email_inbox_id: emailInboxId, automatic },
  }),
  threadStatusChanged(thread, { from, to, ...of }) {
    const at = placeOf(thread, of);
    return at && { type: 'status.changed', data: { ...at, from: as(from), to: as(to) } };
  },
  threadPriorityChanged(thread, { from, to, ...of }) {
    const at = placeOf(thread, of);
    return at && { type: 'priority.changed', data: { ...at, from: as(from), to: as(to) } };
  },
  visitorIdentified: (chat_id, { chatbotId, verified }) => ({
    type: 'visitor.identified',
    data: { chat_id, chatbot_id: chatbotId, verified },
  }),
  answerVotedOn: (chat_id, { chatbotId, messageId, vote }) => ({
    type: 'message.voted',
    data: { chat_id, chatbot_id: chatbotId, message_id: messageId, vote: as(vote) },
  }),
  answerEnded(thread, { inReplyTo, messageId, outcome, confidence, ...of }) {
    const at = { ...place(thread, of), in_reply_to: inReplyTo };
    return ANSWERS[outcome as keyof typeof ANSWERS](at, messageId, confidence);
  },
  chatMessageAdded: (conversation_id, { chatbotId, messageId }) => ({
    type: 'message.received',
    data: { kind: 'chat', conversation_id, assistant_id: chatbotId, message_id: messageId },
  }),
  threadMessageAdded(thread, { by, messageId, ...of }) {
    const at = placeOf(thread, of);
    if (!at) return undefined;
    const data = { ...at, message_id: messageId };
    return by === 'user'
      ? { type: 'message.received', data }
      : { type: 'message.written', data: { ...data, by: as(by) } };
  },
  draftMade: (thread, { inReplyTo, confidence, ...of }) => ({
    type: 'draft.made',
    data: { ...place(thread, of), in_reply_to: inReplyTo, confidence: as(confidence) },
  }),
  mailEnded: (_, { threadId, messageId, outcome, ...of }) => ({
    type: outcome === 'sent' ? 'mail.sent' : 'mail.failed',
    data: { ...place(threadId, of), message_id: messageId },
  }),
  userBlocked: (_, { threadId, lifted, ...of }) => ({
    type: lifted ? 'user.unblocked' : 'user.blocked',
    data: place(threadId, of),
  }),
  assistantCreated: (assistant_id, { kind }) => ({ type: 'assistant.created', data: { assistant_id, kind: as(kind) } }),
  assistantChanged: (assistant_id, { kind }) => ({ type: 'assistant.changed', data: { assistant_id, kind: as(kind) } }),
  assistantDeleted: (assistant_id, { kind }) =>
    kind === '' ? undefined : { type: 'assistant.deleted', data: { assistant_id, kind: as(kind) } },
  apiKeyCreated: (key_id) => ({ type: 'key.created', data: { key_id } }),
  apiKeyRevoked: (key_id) => ({ type: 'key.revoked', data: { key_id } }),
  quotaPassed: (_, { name, used, limit, window, reached }) => ({
    type: reached ? 'quota.reached' : 'quota.near',
    data: { name, used, limit, window: as(window) },
  }),
  webhookDisabled: (webhook_id, { reason }) => ({ type: 'webhook.disabled', data: { webhook_id, reason: as(reason) } }),
  /** For the mails that are sent about it. */
  threadWaiting: () => undefined,
};

/** Returns the account's event for one on the bus; undefined if the account need not hear of it. */
export function eventOf({ id, accountId, entityId, at, payload }: Event & { payload: { case: EventType } }) {
  const translate = ACCOUNT_EVENTS[payload.case] as (entity: string, value: unknown) => AccountEvent | undefined;
  const event = translate(entityId, payload.value);
  if (!event) return undefined;
  return {
    ...{ _id: id, account: accountId, resource: entityId, at: timestampDate(at!) },
    ...{ type: event.type, version: CATALOGUE[event.type].version, data: event.data },
  } satisfies NewEvent;
}
