import { DeliveryState } from '@parley/proto/events/v1/events_service_pb';
import { invalidArgument, notFound, permissionDenied } from '@parley/runtime';
import { type Call, deriveId } from '@parley/runtime/rpc';
import { at, type Owned, pageOf, table } from './double-table.ts';

interface Webhook extends Owned {
  url: string;
  events: string[];
  enabled: boolean;
}

/** Webhooks whose receivers accept everything. Each has had one delivery, under its own id. */
export function webhooksDouble() {
  const webhooks = table<Webhook>('webhook');
  const message = ({ account: _, ...webhook }: Webhook) => ({
    ...{ ...webhook, createdAt: at },
    ...(webhook.enabled ? {} : { disabledBecause: 'The account disabled it.' }),
  });
  const delivery = (id: string, type = 'chat.begun') => ({
    ...{ id, eventId: deriveId(id), type, state: DeliveryState.DELIVERED, attempts: 1, status: 204 },
    ...{ milliseconds: 12, createdAt: at, attemptedAt: at },
  });
  const secretOf = (operation: string) => `whsec_${Buffer.from(operation).toString('base64')}`;

  return {
    async createWebhook({ url, events, enabled }: Omit<Webhook, keyof Owned>, { account, operation }: Call) {
      if (url.includes('//127.')) throw invalidArgument('url is a private address.');
      const webhook = webhooks.add({ id: operation, account, url, events, enabled });
      return { webhook: message(webhook), secret: secretOf(operation) };
    },
    listWebhooks: async (request: { limit: number; nextCursor: string }, { account }: Call) =>
      pageOf(webhooks.of(account).map(message), request),
    async updateWebhook(
      { id, url, events, enabled }: { id: string; url?: string; events?: { names: string[] }; enabled?: boolean },
      { account }: Call,
    ) {
      const webhook = webhooks.get(account, id);
      if (url !== undefined) webhook.url = url;
      if (events) webhook.events = events.names;
      if (enabled !== undefined) webhook.enabled = enabled;
      return { webhook: message(webhook) };
    },
    async deleteWebhook({ id }: { id: string }, { account }: Call) {
      const webhook = webhooks.get(account, id);
      webhooks.remove(id);
      return { webhook: message(webhook) };
    },
    renewWebhookSecret: async ({ id }: { id: string }, { account, operation }: Call) => ({
      ...{ webhook: message(webhooks.get(account, id)), secret: secretOf(operation) },
    }),
    async testWebhook({ id }: { id: string }, { account, operation }: Call) {
      webhooks.get(account, id);
      return { delivery: delivery(operation, 'webhook.test') };
    },
    async listDeliveries(
      request: { webhookId: string; limit: number; nextCursor: string; states: DeliveryState[] },
      { account }: Call,
    ) {
      const { id } = webhooks.get(account, request.webhookId);
      const all = [delivery(id)].filter(({ state }) => request.states.length === 0 || request.states.includes(state));
      return pageOf(all, request);
    },
    async redeliverEvent({ webhookId, id }: { webhookId: string; id: string }, { account }: Call) {
      webhooks.get(account, webhookId);
      if (id !== webhookId) throw notFound('There is no such delivery.');
      return { delivery: { ...delivery(id), attempts: 2 } };
    },
    redeliverEvents: async ({ webhookId }: { webhookId: string }, { account }: Call) => ({
      webhook: message(webhooks.get(account, webhookId)),
    }),
    deleteAccountData: () => Promise.reject(permissionDenied('Only the operator may do this.')),
    getUsage: async () => ({ items: [{ name: 'webhooks', used: 1n, limit: 100n }] }),
  };
}
