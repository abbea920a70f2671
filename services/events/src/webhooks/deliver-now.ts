import { createShares } from '@parley/runtime';
import type { DeliveryDoc } from '../store/deliveries.ts';
import type { WebhookDoc } from '../store/webhooks.ts';
import { type DeliveredEvent, isAccepted, isGone } from './sender.ts';
import type { Delivering } from './turn.ts';

/** Posts an event because somebody asks, besides the order of deliveries, and records what became of it. */
export type DeliverNow = (webhook: WebhookDoc, event: DeliveredEvent, signal: AbortSignal) => Promise<DeliveryDoc>;

/** Requests at a time that somebody waits for. */
const AT_ONCE = 16;

export function createDeliverNow(parts: Pick<Delivering, 'send' | 'deliveries' | 'webhooks'>): DeliverNow {
  const shares = createShares(AT_ONCE);
  return async (webhook, event, signal) => {
    using _ = shares.begin(webhook.account);
    const { _id: id, account } = webhook;
    const outcome = await parts.send(webhook, event, signal);
    const state = isAccepted(outcome) ? 'delivered' : 'failed';
    await parts.deliveries.record(account, id, [{ event, ...outcome, state, next_at: null }]);
    if (isGone(outcome)) await parts.webhooks.disable(account, id, 'gone');
    return (await parts.deliveries.ofEvent(account, id, event._id))!;
  };
}
