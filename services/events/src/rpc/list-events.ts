import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isEventName } from '@parley/catalogue';
import type { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { invalidArgument, pageLimit } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import type { EventRecord } from '../domain/event.ts';

export const listEvents =
  ({ events }: Pick<Dependencies, 'events'>): Rpc<typeof EventsService.method.listEvents> =>
  async ({ after, types, limit, fromNow }, { account }) => {
    const unknown = types.find((type) => !isEventName(type));
    if (unknown !== undefined) throw invalidArgument(`There is no event ${JSON.stringify(unknown)}.`);
    const from = fromNow ? await events.last(account) : after;
    const [{ items, hasMore, position }, total] = await Promise.all([
      events.read(account, { after: from, types, limit: pageLimit(limit) }),
      events.count(account, types),
    ]);
    return { items: items.map(eventMessage), hasMore, position, total };
  };

const eventMessage = ({ _id, seq, type, version, resource, at, data }: EventRecord) => ({
  id: _id,
  seq,
  type,
  version,
  resourceId: resource,
  at: timestampFromDate(at),
  data: JSON.stringify(data),
});
