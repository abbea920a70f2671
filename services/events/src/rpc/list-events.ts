import { durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isEventName } from '@parley/catalogue';
import type { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { invalidArgument, pageLimit } from '@parley/runtime';
import { monotonicNow, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import type { EventRecord } from '../domain/event.ts';
import type { EventPage, ReadRequest } from '../store/events.ts';

const LONGEST_WAIT_MS = 30_000;
/** How often to look for what another process has added. */
const LOOK_MS = 1_000;

type ListDependencies = Pick<Dependencies, 'events' | 'notifier'>;

export const listEvents =
  ({ events, notifier }: ListDependencies): Rpc<typeof EventsService.method.listEvents> =>
  async ({ after, types, limit, fromNow, wait }, { account, signal }) => {
    const unknown = types.find((type) => !isEventName(type));
    if (unknown !== undefined) throw invalidArgument(`There is no event ${JSON.stringify(unknown)}.`);
    const from = fromNow ? await events.last(account) : after;
    const waitMs = wait ? Math.min(LONGEST_WAIT_MS, durationMs(wait)) : 0;
    const request = { after: from, types, limit: pageLimit(limit) };
    const { items, hasMore, position } = await readWaiting({ events, notifier }, account, request, waitMs, signal);
    const total = wait ? 0 : await events.count(account, types);
    return { items: items.map(eventMessage), hasMore, position, total };
  };

async function readWaiting(
  { events, notifier }: ListDependencies,
  account: string,
  request: ReadRequest,
  waitMs: number,
  signal: AbortSignal,
): Promise<EventPage> {
  using news = notifier.listen(account);
  const until = monotonicNow() + waitMs;
  let page = await events.read(account, request);
  for (;;) {
    const left = until - monotonicNow();
    if (page.items.length > 0 || left <= 0) return page;
    await news.next(Math.min(LOOK_MS, left), signal);
    page = await events.read(account, { ...request, after: page.position });
  }
}

const eventMessage = ({ _id, seq, type, version, resource, at, data }: EventRecord) => ({
  id: _id,
  seq,
  type,
  version,
  resourceId: resource,
  at: timestampFromDate(at),
  data: JSON.stringify(data),
});
