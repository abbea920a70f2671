import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EventsService, WebhookSchema } from '@parley/proto/events/v1/events_service_pb';
import { failedPrecondition, invalidArgument } from '@parley/runtime';
import { allowFor } from '@parley/runtime/outbound';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { endpointUrl, subscribedEvents } from '../domain/webhook.ts';
import type { WebhookDoc } from '../store/webhooks.ts';

type Needs<N extends keyof Dependencies> = Pick<Dependencies, N>;
type Method = typeof EventsService.method;

const webhookMessage = (webhook: WebhookDoc): MessageInitShape<typeof WebhookSchema> => ({
  ...{ id: webhook._id, url: webhook.url, events: webhook.events, enabled: webhook.enabled },
  createdAt: timestampFromDate(webhook.created_at),
  ...(webhook.disabled_because !== null && { disabledBecause: webhook.disabled_because }),
});

export const createWebhook =
  ({
    webhooks,
    events,
    secrets,
    outboundAllow,
    announce,
  }: Needs<'webhooks' | 'events' | 'secrets' | 'outboundAllow' | 'announce'>): Rpc<Method['createWebhook']> =>
  async ({ url, events: names, enabled }, { account, operation }) => {
    const subscription = {
      url: endpointUrl(url, allowFor(outboundAllow, account)),
      events: subscribedEvents(names),
      enabled,
    };
    const last = await events.last(account);
    const webhook = await webhooks.create(account, subscription, secrets.create(operation, operation), last);
    await announce.since(account);
    return { webhook: webhookMessage(webhook), secret: secretOf(webhook, operation, secrets) };
  };

export const listWebhooks =
  ({ webhooks }: Needs<'webhooks'>): Rpc<Method['listWebhooks']> =>
  async (request, { account }) => {
    const page = await webhooks.list(account, request);
    return { ...page, items: page.items.map(webhookMessage) };
  };

export const updateWebhook =
  ({
    webhooks,
    events,
    outboundAllow,
    announce,
  }: Needs<'webhooks' | 'events' | 'outboundAllow' | 'announce'>): Rpc<Method['updateWebhook']> =>
  async ({ id, url, events: names, enabled }, { account }) => {
    const change = {
      ...(url !== undefined && { url: endpointUrl(url, allowFor(outboundAllow, account)) }),
      ...(names && { events: subscribedEvents(names.names) }),
      ...(enabled !== undefined && { enabled }),
    };
    const webhook = await webhooks.update(account, id, change, await events.last(account));
    await announce.since(account);
    return { webhook: webhookMessage(webhook) };
  };

export const deleteWebhook =
  ({ webhooks }: Needs<'webhooks'>): Rpc<Method['deleteWebhook']> =>
  async ({ id }, { account, operation }) => ({
    webhook: webhookMessage(await webhooks.remove(account, id, operation)),
  });

export const renewWebhookSecret =
  ({ webhooks, secrets }: Needs<'webhooks' | 'secrets'>): Rpc<Method['renewWebhookSecret']> =>
  async ({ id }, { account, operation }) => {
    const webhook = await webhooks.renewSecret(account, id, secrets.create(id, operation));
    return { webhook: webhookMessage(webhook), secret: secretOf(webhook, operation, secrets) };
  };

export const redeliverEvents =
  ({
    webhooks,
    events,
    backlog,
    announce,
  }: Needs<'webhooks' | 'events' | 'backlog' | 'announce'>): Rpc<Method['redeliverEvents']> =>
  async ({ webhookId, since }, { account }) => {
    if (!since) throw invalidArgument('since must be a time.');
    const { enabled } = await webhooks.webhook(account, webhookId);
    if (!enabled) throw failedPrecondition('The webhook is disabled. Enable it first.');
    const last = await events.last(account);
    const first = await backlog.firstSince(account, timestampDate(since));
    const webhook = await webhooks.goBack(account, webhookId, first === undefined ? last : first - 1, last);
    announce.wake();
    return { webhook: webhookMessage(webhook) };
  };

function secretOf(webhook: WebhookDoc, operation: string, secrets: Dependencies['secrets']): string {
  const secret = secrets.of(webhook, operation);
  if (secret === undefined) throw failedPrecondition('The secret that this operation made has been replaced.');
  return secret;
}
