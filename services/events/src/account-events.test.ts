import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, test } from '@jest/globals';
import { CATALOGUE, EVENT_NAMES } from '@parley/catalogue';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { type EventType, TOPIC_OF } from '@parley/proto/events/v1/topics';
import type { EventPayload } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import { z } from 'zod';
import { ACCOUNT_EVENTS, eventOf } from './account-events.ts';

const AT = new Date('2026-03-01T09:30:00Z');
const [assistantId, messageId, inReplyTo, threadId] = [randomId(), randomId(), randomId(), randomId()];

const busEvent = (payload: EventPayload) =>
  create(EventSchema, {
    ...{ id: randomId(), accountId: randomId(), entityId: randomId(), seq: 1, at: timestampFromDate(AT), payload },
  } as MessageInitShape<typeof EventSchema>) as Event & { payload: { case: EventType } };

const mailed = ['ticket', 'email'].map((kind) => ({ kind, assistantId }));
const anywhere = [...mailed, { kind: 'chat', assistantId }];
const kinds = ['chatbot', 'ticket_form', 'email_inbox'].map((kind) => ({ kind }));
const inChat = { chatbotId: assistantId };

/** Every form of each event on the bus. A new one does not compile without it. */
const SAMPLES: { [C in EventType]: readonly object[] } = {
  knowledgeItemCreated: [{}],
  knowledgeItemChanged: [{}],
  knowledgeItemDeleted: [{}],
  trainingQueued: [{ generation: 1 }],
  trainingCompleted: [{ generation: 1, chunks: 3 }],
  trainingFailed: [{ generation: 1, reason: 'The site does not answer.' }],
  chatStarted: [inChat],
  ticketCreated: [{ ticketFormId: assistantId }],
  emailCreated: [{ emailInboxId: assistantId, automatic: true }],
  threadStatusChanged: mailed.map((of) => ({ ...of, from: 'open', to: 'need_more_info' })),
  threadPriorityChanged: mailed.map((of) => ({ ...of, from: 'low', to: 'urgent' })),
  visitorIdentified: [{ ...inChat, verified: true }],
  answerVotedOn: [{ ...inChat, messageId, vote: 'down' }],
  answerEnded: anywhere.flatMap((of) => [
    { ...of, inReplyTo, messageId, outcome: 'answered', confidence: 'high' },
    { ...of, inReplyTo, messageId, outcome: 'answered' },
    { ...of, inReplyTo, outcome: 'no_evidence' },
    { ...of, inReplyTo, outcome: 'failed' },
  ]),
  chatMessageAdded: [{ ...inChat, messageId }],
  threadMessageAdded: mailed.flatMap((of) =>
    ['user', 'owner', 'persona', 'ai'].map((by) => ({ ...of, messageId, by })),
  ),
  draftMade: mailed.map((of) => ({ ...of, inReplyTo, confidence: 'low' })),
  mailEnded: mailed.flatMap((of) => ['sent', 'failed'].map((outcome) => ({ ...of, threadId, messageId, outcome }))),
  userBlocked: anywhere.flatMap((of) => [true, false].map((lifted) => ({ ...of, threadId, lifted }))),
  assistantCreated: kinds,
  assistantChanged: kinds,
  assistantDeleted: kinds,
  apiKeyCreated: [{}],
  apiKeyRevoked: [{}],
  quotaPassed: ['none', 'day'].flatMap((window) =>
    [true, false].map((reached) => ({ name: 'items', used: 8, limit: 10, window, reached })),
  ),
  webhookDisabled: [{ reason: 'gone' }, { reason: 'failing' }],
  threadWaiting: [{ assistantId }],
};

const ALL = Object.entries(SAMPLES).flatMap(([type, values]) =>
  values.map((value) => busEvent({ case: type, value } as EventPayload)),
);

test('every event on the bus becomes one that has the schema of the catalogue, and nothing else', () => {
  for (const each of ALL) {
    const event = eventOf(each);
    if (!event) {
      expect(each.payload.case).toBe('threadWaiting');
      continue;
    }
    expect(event).toMatchObject({ _id: each.id, account: each.accountId, resource: each.entityId, at: AT });
    const { data, version } = CATALOGUE[event.type];
    expect(z.strictObject(data.shape).parse(event.data)).toEqual(event.data);
    expect(event.version).toBe(version);
  }
});

test('each event of the catalogue comes from one on the bus', () => {
  const made = new Set(ALL.map((each) => eventOf(each)?.type));
  expect(EVENT_NAMES.filter((name) => !made.has(name))).toEqual([]);
});

test('events of an earlier release that lack what the catalogue needs are left out', () => {
  for (const type of ['threadStatusChanged', 'threadPriorityChanged', 'threadMessageAdded', 'assistantDeleted'])
    expect(eventOf(busEvent({ case: type, value: { by: 'user' } } as EventPayload))).toBeUndefined();
});

test('every event that has a topic of its own is handled', () => {
  expect(Object.keys(ACCOUNT_EVENTS)).toEqual(expect.arrayContaining(Object.keys(TOPIC_OF)));
});
