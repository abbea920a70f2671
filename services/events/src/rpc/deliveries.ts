import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type DeliverySchema, DeliveryState, type EventsService } from '@parley/proto/events/v1/events_service_pb';
import { invalidArgument, notFound } from '@parley/runtime';
import { quotaUsage, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { DELIVERY_STATES, type DeliveryDoc } from '../store/deliveries.ts';

type Method = typeof EventsService.method;

const NAMES = { delivered: DeliveryState.DELIVERED, retrying: DeliveryState.RETRYING, failed: DeliveryState.FAILED };

const deliveryMessage = (delivery: DeliveryDoc): MessageInitShape<typeof DeliverySchema> => ({
  ...{ id: delivery._id, eventId: delivery.event, type: delivery.type, attempts: delivery.attempts },
  ...{ state: NAMES[delivery.state], milliseconds: delivery.ms },
  ...(delivery.status !== null && { status: delivery.status }),
  ...(delivery.reason !== null && { reason: delivery.reason }),
  createdAt: timestampFromDate(delivery.created_at),
  attemptedAt: timestampFromDate(delivery.attempted_at),
  ...(delivery.next_at && { nextAttemptAt: timestampFromDate(delivery.next_at) }),
});

export const listDeliveries =
  ({ webhooks, deliveries }: Pick<Dependencies, 'webhooks' | 'deliveries'>): Rpc<Method['listDeliveries']> =>
  async ({ webhookId, states, ...request }, { account }) => {
    await webhooks.webhook(account, webhookId);
    const wanted = DELIVERY_STATES.filter((name) => states.includes(NAMES[name]));
    const page = await deliveries.list(account, webhookId, wanted, request);
    return { ...page, items: page.items.map(deliveryMessage) };
  };

/** The test's id is that of the operation, so that a retry is told from another test. */
export const testWebhook =
  ({ webhooks, deliverNow }: Pick<Dependencies, 'webhooks' | 'deliverNow'>): Rpc<Method['testWebhook']> =>
  async ({ id }, { account, operation, signal }) => {
    const webhook = await webhooks.webhook(account, id);
    const event = { _id: operation, type: 'webhook.test', at: new Date(), data: { webhook_id: id } };
    return { delivery: deliveryMessage(await deliverNow(webhook, event, signal)) };
  };

export const redeliverEvent =
  ({
    webhooks,
    deliveries,
    backlog,
    deliverNow,
  }: Pick<Dependencies, 'webhooks' | 'deliveries' | 'backlog' | 'deliverNow'>): Rpc<Method['redeliverEvent']> =>
  async ({ webhookId, id }, { account, signal }) => {
    const webhook = await webhooks.webhook(account, webhookId);
    const delivery = await deliveries.find(account, webhookId, id);
    if (!delivery) throw notFound('There is no such delivery.');
    const event = await backlog.find(account, delivery.event);
    if (!event) throw invalidArgument('The event of this delivery is not kept any more.');
    return { delivery: deliveryMessage(await deliverNow(webhook, event, signal)) };
  };

export const getUsage =
  ({ webhookUsage }: Pick<Dependencies, 'webhookUsage'>): Rpc<Method['getUsage']> =>
  async (_, { account }) => ({ items: await quotaUsage(webhookUsage, account) });
