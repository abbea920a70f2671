import { AiReply, type CaseSettings } from '@parley/proto/assistants/v1/assistants_service_pb';
import { z } from 'zod';
import { enumNames } from '../../fields/enum-names.ts';
import { requiredText } from '../../fields/text.ts';

/** How the tickets of a form, or the emails of an inbox, are handled. */

const AI_REPLY = enumNames(AiReply, 'AiReply');

const MAX_ADDRESSES = 20;

const about = {
  ai_reply:
    'What becomes of the answers of the AI: `auto` sends those that it is sure of to senders who are authenticated, and makes drafts of the others; `draft` makes drafts of all; `off`: it does not answer. `draft` by default.',
  notify:
    'Addresses that get a mail for new conversations, and for those that wait for a person; each at most one an hour.',
};

const extension = (description: string) => ({ description, 'x-parley-extension': true });
const addresses = z.array(requiredText(320)).max(MAX_ADDRESSES);

/** Fields of a POST or a PATCH: absent leaves a setting as it is, null brings back the default. */
export const changedCases = {
  ai_reply: AI_REPLY.schema.nullish().meta(extension(about.ai_reply)),
  notify: addresses.nullish().meta(extension(about.notify)),
};

type ChangedCases = z.output<z.ZodObject<typeof changedCases>>;

/** The change as the service takes it. */
export const casesChange = ({ ai_reply: aiReply, notify }: ChangedCases) => ({
  ...(aiReply !== undefined && { aiReply: AI_REPLY.valueOf(aiReply ?? 'draft') }),
  ...(notify !== undefined && { notify: { values: notify ?? [] } }),
});

const PRESENCE = 'Present once either of `ai_reply` and `notify` has been set.';

/** Fields of responses. An assistant whose settings were never changed has just the fields of the contract. */
export const shownCases = {
  ai_reply: AI_REPLY.schema.optional().meta(extension(`${about.ai_reply} ${PRESENCE}`)),
  notify: z
    .array(z.string())
    .optional()
    .meta(extension(`${about.notify} ${PRESENCE}`)),
};

export const casesJson = (cases: CaseSettings | undefined) =>
  cases ? { ai_reply: AI_REPLY.nameOf(cases.aiReply), notify: cases.notify } : {};
