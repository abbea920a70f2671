import { CATALOGUE, EVENT_NAMES } from '@parley/catalogue';
import type { FeedEvent, ListEventsResponse } from '@parley/proto/events/v1/events_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';

const TYPE = 'ticket.opened';

export const event = z
  .object({
    id: z.string().meta({ description: 'The same wherever the event is told of, and however often.' }),
    number: z.int().meta({ description: 'Counts the events of the account, without gaps.' }),
    type: z.string().meta({ description: 'The name of one of the `webhooks` of this description.' }),
    version: z.int().meta({ description: 'Of the form of `data`. New fields are no new version.' }),
    resource_id: z.string().meta({
      description:
        'What the event is about, or what keeps it: events with the same are in the order in which they happened.',
    }),
    timestamp,
    data: z.looseObject({}).meta({ description: 'What happened: as in the webhook of this name.' }),
  })
  .meta({
    id: 'Event',
    examples: [
      {
        id: '5c0f4c1e-0b9a-4d5e-8f3a-1b2c3d4e5f60',
        number: 1_042,
        type: TYPE,
        version: 1,
        resource_id: CATALOGUE[TYPE].example.ticket_id,
        timestamp: '2026-03-01T09:30:00.000Z',
        data: CATALOGUE[TYPE].example,
      },
    ],
  });

export const eventJson = ({ id, seq, type, version, resourceId, at, data }: FeedEvent): z.input<typeof event> => ({
  id,
  number: seq,
  type,
  version,
  resource_id: resourceId,
  timestamp: iso(at!),
  data: JSON.parse(data),
});

export const eventPage = z
  .object({
    items: z.array(event),
    total: z.int().meta({ description: 'How many are kept; with `types`, how many of these, counted up to 10,000.' }),
    has_more: z.boolean(),
    next_cursor: z.string().meta({ description: 'Always present: at the end, it leads to what happens later.' }),
  })
  .meta({
    id: 'EventPage',
    examples: [{ items: event.meta()!.examples!, total: 1, has_more: false, next_cursor: 'bmV4dA' }],
  });

export const pageJson = ({ items, total, hasMore }: ListEventsResponse, next_cursor: string) => ({
  items: items.map(eventJson),
  total,
  has_more: hasMore,
  next_cursor,
});

/** The body of a webhook, by the name of its event. */
export const webhookBodies = Object.fromEntries(
  EVENT_NAMES.map((type) => {
    const { data, example } = CATALOGUE[type];
    const body = z.object({ type: z.literal(type), timestamp, data });
    return [type, body.meta({ examples: [{ type, timestamp: '2026-03-01T09:30:00.000Z', data: example }] })];
  }),
);
