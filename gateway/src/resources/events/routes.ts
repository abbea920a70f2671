import { durationFromMs } from '@bufbuild/protobuf/wkt';
import { EVENT_NAMES, type EventName } from '@parley/catalogue';
import type { FeedEvent, ListEventsResponse } from '@parley/proto/events/v1/events_service_pb';
import { invalidArgument } from '@parley/runtime';
import { z } from 'zod';
import { type ListQuery, listQuery } from '../../fields/list.ts';
import { namesParameter } from '../../fields/names.ts';
import { type RouteContext, route } from '../../route.ts';
import type { StreamEvent } from '../../streaming.ts';
import { event, eventJson, eventPage, pageJson } from './json.ts';

const PATH = '/events';
/** Events of a stream that are read at a time. */
const AT_ONCE = 100;
/** How long a stream waits for the next event before its key is checked again: less than a request may take. */
const WAIT_MS = 5_000;
const NUMBER = /^\d{1,9}$/;

const query = listQuery.extend({
  types: namesParameter(
    EVENT_NAMES,
    1_000,
    'Only events of these types, which are the names of the `webhooks` of this description; comma-separated. Repeated parameters are joined.',
  ),
});

interface Asked {
  query: ListQuery & { types?: EventName[] | undefined };
}
type Read = ListEventsResponse & { types: EventName[] };

/** Where a cursor of the feed is valid. */
const feedOf = ({ identity }: RouteContext, types: EventName[]) => ({
  account: identity.account.id,
  list: PATH,
  parent: {},
  filter: { types },
});

function positionOf({ query }: Asked, context: RouteContext): number | undefined {
  const { next_cursor, types = [] } = query;
  return next_cursor === undefined ? undefined : Number(context.cursors.open(feedOf(context, types), next_cursor));
}

async function* stream(asked: Asked, context: RouteContext): AsyncGenerator<StreamEvent, Read> {
  const { types = [] } = asked.query;
  const { lastEventId, again } = context.lasting;
  if (lastEventId !== undefined && !NUMBER.test(lastEventId))
    throw invalidArgument('Last-Event-ID is not one that this stream has given.');
  const after = lastEventId === undefined ? positionOf(asked, context) : Number(lastEventId);
  const first = { types, limit: AT_ONCE, after: after ?? 0, fromNow: after === undefined };
  let page = await context.events.listEvents(first);
  yield { event: 'ready', data: {}, id: `${page.items[0] ? page.items[0].seq - 1 : page.position}` };
  for (;;) {
    for (const item of page.items) yield streamed(item);
    const services = await again();
    if (!services) return { ...page, types };
    const next = { types, limit: AT_ONCE, after: page.position, wait: durationFromMs(WAIT_MS) };
    page = await services.events.listEvents(next);
  }
}

const streamed = (item: FeedEvent): StreamEvent => ({ event: 'event', data: eventJson(item), id: `${item.seq}` });

export const listEvents = route({
  method: 'GET',
  path: PATH,
  summary: 'Read what has happened in the account, oldest first',
  description: `Every change is an event, kept for seven days. A reader that always goes on from \`next_cursor\` misses none and sees
none twice. \`number\` has no gaps; those of one resource are in the order in which they happened.

As Server-Sent Events, for clients that prefer \`text/event-stream\`: \`ready\`, then each \`event\` as it happens. It begins with
the next event, or after \`next_cursor\`, or after what the header \`Last-Event-ID\` says, which browsers send when they connect
again. After a quarter of an hour the stream ends with \`done\`: connect again.`,
  extension: true,
  scope: 'ACCOUNT_WRITE',
  query,
  response: eventPage,
  async call(asked, context): Promise<Read> {
    const { limit, types = [] } = asked.query;
    const page = await context.events.listEvents({ after: positionOf(asked, context) ?? 0, types, limit });
    return { ...page, types };
  },
  toJson: (page, context) => pageJson(page, context.cursors.seal(feedOf(context, page.types), `${page.position}`)),
  stream: {
    lasting: true,
    events: { ready: z.object({}).meta({ description: 'The stream has begun.' }), event },
    call: stream,
    whole: ({ items }) => [
      { event: 'ready', data: {} },
      ...items.map((data) => ({ event: 'event', data, id: `${data.number}` })),
    ],
  },
});
