import type { TicketForm } from '@parley/proto/assistants/v1/assistants_service_pb';
import { type GetThreadResponse, Role } from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';
import { STATUS } from '../../fields/statuses.ts';
import { formField, formFieldJson } from '../ticket-forms/json.ts';

const ID = '01890a5d-ac96-474b-8cce-b302099a8057';

export const publicForm = z.object({ public_id: z.string(), title: z.string(), fields: z.array(formField) }).meta({
  id: 'PublicTicketForm',
  examples: [
    {
      public_id: 'T4mw8Q2xkzLc',
      title: 'Repairs',
      fields: [{ id: ID, name: 'What is broken?', type: 'LONG_TEXT', required: true }],
    },
  ],
});

export const publicFormJson = ({ publicId, title, fields }: TicketForm): z.input<typeof publicForm> => ({
  public_id: publicId,
  title,
  fields: fields.map(formFieldJson),
});

export const openedTicket = z
  .object({
    id: z.string().meta({ description: 'The id of the ticket, for its owner.' }),
    token: z
      .string()
      .meta({ description: 'With it, whoever opened the ticket reads it and writes in it. It is a secret.' }),
  })
  .meta({ id: 'OpenedTicket', examples: [{ id: ID, token: 'AWk3c2VjcmV0LXRva2VuLW9mLWEtdGlja2V0' }] });

const message = z.object({ role: z.enum(['user', 'assistant']), message: z.string(), created_at: timestamp });

export const ownTicket = z
  .object({
    id: z.string(),
    title: z.string().meta({ description: 'Of the form.' }),
    status: STATUS.schema,
    created_at: timestamp,
    updated_at: timestamp,
    conversation: z.array(message).meta({ description: 'Oldest first.' }),
  })
  .meta({
    id: 'OwnTicket',
    examples: [
      {
        id: ID,
        title: 'Repairs',
        status: 'open',
        created_at: '2026-03-01T09:30:00.000Z',
        updated_at: '2026-03-01T09:30:00.000Z',
        conversation: [{ role: 'user', message: 'What is broken?: My lamp.', created_at: '2026-03-01T09:30:00.000Z' }],
      },
    ],
  });

export const ownTicketJson = (
  title: string,
  { thread, conversation }: GetThreadResponse,
): z.input<typeof ownTicket> => ({
  id: thread!.id,
  title,
  status: STATUS.nameOf(thread!.status),
  created_at: iso(thread!.createdAt!),
  updated_at: iso(thread!.updatedAt!),
  conversation: conversation.map(({ role, message, at }) => ({
    role: role === Role.USER ? 'user' : 'assistant',
    message,
    created_at: iso(at!),
  })),
});
