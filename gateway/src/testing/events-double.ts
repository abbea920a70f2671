import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CATALOGUE, type EventName } from '@parley/catalogue';
import { EventsService } from '@parley/proto/events/v1/events_service_pb';
import { permissionDenied } from '@parley/runtime';
import { deriveId, service } from '@parley/runtime/rpc';
import { webhooksDouble } from './webhooks-double.ts';

/** The log of every account, by number, which tests may add to. */
export function eventsDouble() {
  const logs = new Map<string, EventName[]>();
  const logOf = (account: string) => logs.get(account) ?? [];
  const handlers = service(EventsService, {
    ...webhooksDouble(),
    async listEvents({ after, types, limit, fromNow, wait }, { account }) {
      // Real ones wait for longer, unless something happens.
      if (wait && logOf(account).length <= after) await sleep(50);
      const log = logOf(account).map((type, i) => ({ type, seq: i + 1 }));
      const ofTypes = log.filter(({ type }) => types.length === 0 || types.includes(type));
      const left = ofTypes.filter(({ seq }) => seq > (fromNow ? log.length : after));
      const items = left.slice(0, limit).map(({ type, seq }) => ({
        id: deriveId(`${account} ${seq}`),
        seq,
        type,
        version: CATALOGUE[type].version,
        resourceId: account,
        at: timestampFromDate(new Date(seq * 1_000)),
        data: JSON.stringify(CATALOGUE[type].example),
      }));
      const hasMore = left.length > items.length;
      return { items, hasMore, position: hasMore ? items.at(-1)!.seq : log.length, total: ofTypes.length };
    },
    deleteAccountData: () => Promise.reject(permissionDenied('Only the operator may do this.')),
  });
  return {
    state: { add: (account: string, ...types: EventName[]) => logs.set(account, [...logOf(account), ...types]) },
    handlers,
  };
}
