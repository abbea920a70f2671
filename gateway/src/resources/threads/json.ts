import {
  type Change,
  type Draft,
  type Evidence,
  type GetThreadResponse,
  Outcome,
  type Thread,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { z } from 'zod';
import { iso, timestamp } from '../../fields/dates.ts';
import { enumNames } from '../../fields/enum-names.ts';
import { PRIORITY, STATUS } from '../../fields/statuses.ts';
import { confidence, confidenceJson } from '../assistants/confidence.ts';
import { source, sourceJson } from '../chatbots/json.ts';
import { AI, caseConversation, caseConversationJson } from './messages.ts';

const common = {
  status: STATUS.schema,
  priority: PRIORITY.schema.meta({ 'x-parley-extension': true }),
  ai: AI.schema.meta({ description: 'What the AI does about the newest message.', 'x-parley-extension': true }),
  created_at: timestamp,
  updated_at: timestamp,
};

const commonJson = ({ status, priority, ai, createdAt, updatedAt }: Thread) => ({
  status: STATUS.nameOf(status),
  priority: PRIORITY.nameOf(priority),
  ai: AI.nameOf(ai),
  created_at: iso(createdAt!),
  updated_at: iso(updatedAt!),
});

const EXAMPLE = {
  status: 'open',
  priority: 'medium',
  ai: 'answered',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:31:12.000Z',
};
const ID = '01890a5d-ac96-474b-8cce-b302099a8057';
const CONVERSATION_EXAMPLE = [
  { role: 'user', message: 'My lamp flickers. What can I do?' },
  { role: 'assistant', message: 'Send it to us; repairs are free for two years. [1]\n\nSources:\n[1] Repairs' },
];

const ticketFields = z.object({ id: z.string(), ...common });
const TICKET_EXAMPLE = { id: ID, ...EXAMPLE };
export const listedTicket = ticketFields.meta({ id: 'Ticket', examples: [TICKET_EXAMPLE] });
export const ticket = ticketFields.extend({ conversation: caseConversation }).meta({
  id: 'TicketWithConversation',
  examples: [{ ...TICKET_EXAMPLE, conversation: CONVERSATION_EXAMPLE }],
});

export const listedTicketJson = (thread: Thread): z.input<typeof listedTicket> => ({
  id: thread.id,
  ...commonJson(thread),
});

export const ticketJson = ({ thread, conversation }: GetThreadResponse): z.input<typeof ticket> => ({
  ...listedTicketJson(thread!),
  conversation: caseConversationJson(conversation),
});

const emailFields = z.object({
  id: z.string(),
  subject: z.string(),
  from_email: z.string().meta({ description: "The sender's address." }),
  ...common,
});
const EMAIL_EXAMPLE = { id: ID, subject: 'My lamp', from_email: 'sam@example.com', ...EXAMPLE };
export const listedEmail = emailFields.meta({ id: 'Email', examples: [EMAIL_EXAMPLE] });
export const email = emailFields.extend({ conversation: caseConversation }).meta({
  id: 'EmailWithConversation',
  examples: [{ ...EMAIL_EXAMPLE, conversation: CONVERSATION_EXAMPLE }],
});

export const listedEmailJson = (thread: Thread): z.input<typeof listedEmail> => ({
  id: thread.id,
  subject: thread.subject,
  from_email: thread.fromEmail,
  ...commonJson(thread),
});

export const emailJson = ({ thread, conversation }: GetThreadResponse): z.input<typeof email> => ({
  ...listedEmailJson(thread!),
  conversation: caseConversationJson(conversation),
});

const changeFields = z.object({
  at: timestamp,
  by: z.string().meta({
    description: 'The id of the API key that made the change; `user` if a message of the end user reopened it.',
  }),
  field: z.string().meta({ description: '`status` or `priority`.' }),
  from: z.string(),
  to: z.string(),
});

export const change = changeFields.meta({
  id: 'Change',
  examples: [{ at: '2026-03-01T09:31:12.000Z', by: ID, field: 'status', from: 'open', to: 'resolved' }],
});

export const changeJson = ({ at, by, field, from, to }: Change): z.input<typeof change> => ({
  at: iso(at!),
  by,
  field,
  from,
  to,
});

const blockResultFields = z.object({
  items: z.array(
    z.object({
      target: z.string().meta({ description: 'The id of the chat, ticket or email.' }),
      targetType: z.enum(['CHAT', 'TICKET', 'EMAIL']),
      status: z.enum(['ACTIVE', 'LIFTED']).meta({ description: '`LIFTED` after lifting a block.' }),
    }),
  ),
  failed: z.array(z.unknown()).meta({ description: 'Always empty: a block that fails is an error.' }),
});

export const blockResult = blockResultFields.meta({
  id: 'BlockResult',
  examples: [{ items: [{ target: ID, targetType: 'CHAT', status: 'ACTIVE' }], failed: [] }],
});

const OUTCOME = enumNames(Outcome, 'Outcome');

const evidenceFields = z.object({
  entry: z
    .string()
    .meta({ description: "The id of the answer's message, or of the question's if there is no answer." }),
  outcome: OUTCOME.schema,
  confidence,
  answerer: z.string().meta({ description: 'What answered, and its version or model.' }),
  offered: z
    .array(
      z.object({
        knowledge_id: z.string(),
        title: z.string(),
        url: z.string().nullable().meta({ description: 'Null if the passage has no address.' }),
        score: z.number().meta({ description: '0 to 1; comparable within one answer only.' }),
      }),
    )
    .meta({ description: 'The passages that the answerer was given, best first.' }),
  cited: z
    .array(z.int())
    .meta({ description: 'Positions in `offered`, from 1, of the passages that the answer cites.' }),
});

export const evidence = evidenceFields.meta({
  id: 'Evidence',
  examples: [
    {
      entry: ID,
      outcome: 'answered',
      confidence: 'high',
      answerer: 'extractive/1',
      offered: [{ knowledge_id: ID, title: 'Repairs', url: 'https://www.example.com/repairs', score: 0.83 }],
      cited: [1],
    },
  ],
});

export const evidenceJson = ({
  entry,
  outcome,
  confidence,
  answerer,
  offered,
  cited,
}: Evidence): z.input<typeof evidence> => ({
  entry,
  outcome: OUTCOME.nameOf(outcome),
  confidence: confidenceJson(confidence),
  answerer,
  offered: offered.map(({ knowledgeId, title, url, score }) => ({
    knowledge_id: knowledgeId,
    title,
    url: url || null,
    score,
  })),
  cited,
});

const draftFields = z.object({
  message: z
    .string()
    .meta({ description: 'With citation marks [n] and a closing list of sources, until it is changed.' }),
  confidence,
  sources: z.array(source),
  created_at: timestamp,
});

export const draft = draftFields.meta({
  id: 'Draft',
  examples: [
    {
      message: 'Send it to us; repairs are free for two years. [1]\n\nSources:\n[1] Repairs',
      confidence: 'low',
      sources: [{ n: 1, title: 'Repairs', url: 'https://www.example.com/repairs' }],
      created_at: '2026-03-01T09:31:12.000Z',
    },
  ],
});

export const draftJson = ({ answer, createdAt }: Draft): z.input<typeof draft> => ({
  message: answer!.message,
  confidence: confidenceJson(answer!.confidence),
  sources: answer!.sources.map(sourceJson),
  created_at: iso(createdAt!),
});
