import { EVENT_NAMES } from '@parley/catalogue';
import { type Delivery, DeliveryState, type Webhook } from '@parley/proto/events/v1/events_service_pb';
import { z } from 'zod';
import { iso, isoOrNull, timestamp } from '../../fields/dates.ts';
import { enumNames } from '../../fields/enum-names.ts';

export const STATE = enumNames(DeliveryState, 'WebhookDeliveryState');

export const events = z
  .array(z.enum(['*', ...EVENT_NAMES]))
  .min(1)
  .max(EVENT_NAMES.length + 1)
  .meta({
    description: 'Names of events, which are under `webhooks` in this description; `*` is all, also those to come.',
  });

const EXAMPLE = {
  id: '01890a5d-ac96-474b-8cce-b302099a8057',
  url: 'https://www.example.com/parley',
  events: ['ticket.opened', 'email.opened'] as z.input<typeof events>,
  enabled: true,
  created_at: '2026-03-01T09:30:00.000Z',
  disabled_because: null,
};

const fields = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  created_at: timestamp,
  disabled_because: z.string().nullable().meta({ description: 'Why it is disabled; null while it is enabled.' }),
});

export const webhook = fields.meta({ id: 'Webhook', examples: [EXAMPLE] });

export const webhookWithSecret = fields
  .extend({
    secret: z.string().meta({
      description: 'What its messages are signed with, as Standard Webhooks writes it; shown only this once.',
    }),
  })
  .meta({
    id: 'WebhookWithSecret',
    examples: [{ ...EXAMPLE, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  });

export const webhookJson = (found: Webhook): z.input<typeof webhook> => ({
  ...{ id: found.id, url: found.url, events: found.events, enabled: found.enabled },
  created_at: iso(found.createdAt!),
  disabled_because: found.disabledBecause ?? null,
});

export const delivery = z
  .object({
    id: z.string(),
    event_id: z.string().meta({ description: 'The `webhook-id` of its messages, the same in every attempt.' }),
    type: z.string(),
    state: STATE.schema,
    attempts: z.int(),
    status: z.int().nullable().meta({ description: 'Of the response to the last attempt; null if there was none.' }),
    milliseconds: z.int().meta({ description: 'How long the last attempt took.' }),
    reason: z.string().nullable().meta({ description: 'Why the last attempt failed; null if it did not.' }),
    created_at: timestamp,
    attempted_at: timestamp,
    next_attempt_at: timestamp.nullable(),
  })
  .meta({
    id: 'WebhookDelivery',
    examples: [
      {
        ...{ id: '5b1f3c62-7a0e-8d4b-9c1a-2e3f4a5b6c7d', event_id: '3f2b8a54-6c1d-4e0f-9a7b-2d5c8e1f0a34' },
        ...{ type: 'ticket.opened', state: 'retrying', attempts: 2, status: 503, milliseconds: 41 },
        ...{ reason: 'It answered 503.', created_at: '2026-03-01T09:30:00.000Z' },
        ...{ attempted_at: '2026-03-01T09:30:05.000Z', next_attempt_at: '2026-03-01T09:30:25.000Z' },
      },
    ],
  });

export const deliveryJson = (found: Delivery): z.input<typeof delivery> => ({
  ...{ id: found.id, event_id: found.eventId, type: found.type, state: STATE.nameOf(found.state) },
  ...{ attempts: found.attempts, status: found.status ?? null, milliseconds: found.milliseconds },
  ...{ reason: found.reason ?? null, created_at: iso(found.createdAt!), attempted_at: iso(found.attemptedAt!) },
  next_attempt_at: isoOrNull(found.nextAttemptAt),
});
