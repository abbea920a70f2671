import { z } from 'zod';
import { date, toTimestamp } from '../../fields/dates.ts';
import { uuid } from '../../fields/ids.ts';
import { optional, webAddress } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { delivery, deliveryJson, events, STATE, webhook, webhookJson, webhookWithSecret } from './json.ts';

const guarded = { scope: 'ACCOUNT_WRITE', extension: true } as const;
const params = z.object({ id: uuid });
const url = webAddress.meta({ description: 'http or https; a private address is refused.' });
const enabled = z.boolean();

export const listWebhooks = list({
  ...guarded,
  path: '/webhooks',
  summary: 'List the webhooks, newest first',
  item: webhook,
  toJson: webhookJson,
  call: ({ page }, { events }) => events.listWebhooks(page),
});

export const createWebhook = route({
  ...guarded,
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook: an address that is told what happens',
  description: `Events are posted to it as JSON from now on, signed as [Standard Webhooks](https://www.standardwebhooks.com) says, with
the secret that only this response shows. The section "Webhooks" of the manual says how to receive them. The account may have as many
as \`QUOTA_WEBHOOKS\` says.`,
  showsSecret: true,
  body: z.object({ url, events, enabled: optional(enabled).meta({ description: 'True by default.' }) }).meta({
    examples: [{ url: 'https://www.example.com/parley', events: ['ticket.opened', 'email.opened'] }],
  }),
  response: webhookWithSecret,
  call: ({ body }, { events }) => events.createWebhook({ ...body, enabled: body.enabled ?? true }),
  toJson: ({ webhook, secret }) => ({ ...webhookJson(webhook!), secret }),
});

export const updateWebhook = route({
  ...guarded,
  method: 'PATCH',
  path: '/webhook/:id',
  summary: 'Change the address or the events of a webhook, disable it or enable it again',
  description: `Absent fields stay as they are. What waits is sent to a new address at once. A webhook that is enabled again is told of
what happens from then on; redeliver what it missed.`,
  params,
  body: z
    .object({ url: url.optional(), events: events.optional(), enabled: enabled.optional() })
    .meta({ examples: [{ enabled: true }] }),
  response: webhook,
  call: ({ params, body: { events: names, ...body } }, { events }) =>
    events.updateWebhook({ ...params, ...body, ...(names && { events: { names } }) }),
  toJson: ({ webhook }) => webhookJson(webhook!),
});

export const deleteWebhook = route({
  ...guarded,
  method: 'DELETE',
  path: '/webhook/:id',
  summary: 'Delete a webhook and the record of its deliveries',
  params,
  response: webhook,
  call: ({ params }, { events }) => events.deleteWebhook(params),
  toJson: ({ webhook }) => webhookJson(webhook!),
});

export const renewWebhookSecret = route({
  ...guarded,
  method: 'POST',
  path: '/webhook/:id/secret',
  summary: 'Give a webhook a new secret; the old one signs beside it for a day',
  showsSecret: true,
  params,
  response: webhookWithSecret,
  call: ({ params }, { events }) => events.renewWebhookSecret(params),
  toJson: ({ webhook, secret }) => ({ ...webhookJson(webhook!), secret }),
});

export const testWebhook = route({
  ...guarded,
  method: 'POST',
  path: '/webhook/:id/test',
  summary: 'Send a webhook an event `webhook.test` now, and say what became of it',
  description:
    'Its `data` is `{"webhook_id": …}`. Also if the webhook is disabled, and whatever it subscribes to. It is tried once, and in no list of events.',
  timeout: 'replyMs',
  params,
  response: delivery,
  call: ({ params }, { events }) => events.testWebhook(params),
  toJson: ({ delivery }) => deliveryJson(delivery!),
});

export const redeliverEvents = route({
  ...guarded,
  method: 'POST',
  path: '/webhook/:id/redeliver',
  summary: 'Deliver everything again since a time, in order, before what comes next',
  description: `Also what was accepted: the \`webhook-id\` of an event stays the same, so that receivers can tell. As far back as events
are kept. 400 if the webhook is disabled.`,
  params,
  body: z.object({ since: date }).meta({ examples: [{ since: '2026-03-01T09:00:00Z' }] }),
  response: webhook,
  call: ({ params, body }, { events }) =>
    events.redeliverEvents({ webhookId: params.id, since: toTimestamp(body.since)! }),
  toJson: ({ webhook }) => webhookJson(webhook!),
});

export const listDeliveries = list({
  ...guarded,
  path: '/webhook/:id/deliveries',
  summary: 'List what was delivered to a webhook, or failed, newest first',
  description: 'Kept for seven days, and the newest 5,000 at least.',
  params,
  filter: z.object({ state: z.enum(STATE.names).optional() }),
  item: delivery,
  toJson: deliveryJson,
  call: ({ params, filter, page }, { events }) =>
    events.listDeliveries({
      ...{ webhookId: params.id, ...page },
      states: filter.state === undefined ? [] : [STATE.valueOf(filter.state)],
    }),
});

export const redeliverEvent = route({
  ...guarded,
  method: 'POST',
  path: '/webhook/:id/deliveries/:delivery_id/redeliver',
  summary: 'Deliver one event again now, and say what became of it',
  description:
    'Also if the webhook is disabled. It is tried once. 400 if the event is not kept any more, or was a test.',
  timeout: 'replyMs',
  params: params.extend({ delivery_id: uuid }),
  response: delivery,
  call: ({ params }, { events }) => events.redeliverEvent({ webhookId: params.id, id: params.delivery_id }),
  toJson: ({ delivery }) => deliveryJson(delivery!),
});
