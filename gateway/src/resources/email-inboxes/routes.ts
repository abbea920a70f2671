import { z } from 'zod';
import { ASSISTANT_LIMITS_TEXT, title } from '../../fields/assistants.ts';
import { alias } from '../../fields/ids.ts';
import { optional, text } from '../../fields/text.ts';
import { route } from '../../route.ts';
import { answersChange, changedAnswers } from '../assistants/answer-settings.ts';
import { assistantRoutes } from '../assistants/assistant-routes.ts';
import { attachedKnowledge } from '../assistants/attached-knowledge.ts';
import { casesChange, changedCases } from '../assistants/case-settings.ts';
import { EMAIL_INBOX } from '../assistants/kinds.ts';
import { emailInbox, emailInboxJson } from './json.ts';

const { params } = EMAIL_INBOX;

const description = text(2_000);

const TAKEN = {
  409: 'Another inbox has the alias, or had it less than 30 days ago in another account; or the Idempotency-Key is taken.',
};

export const createEmailInbox = route({
  method: 'POST',
  path: '/email-inboxes',
  summary: 'Create an email inbox',
  description: `The aliases reply, postmaster, abuse, mailer-daemon and noreply are reserved. ${ASSISTANT_LIMITS_TEXT}`,
  scope: 'EMAILINBOXES_WRITE',
  extension: true,
  body: z
    .object({ alias, title, description: optional(description), ...changedCases })
    .meta({ examples: [{ alias: 'support', title: 'Support' }] }),
  errors: TAKEN,
  response: emailInbox,
  call: ({ body: { alias, title, description, ...cases } }, { assistants }) =>
    assistants.createEmailInbox({ alias, title, description, cases: casesChange(cases) }),
  toJson: ({ emailInbox }) => emailInboxJson(emailInbox!),
});

export const updateEmailInbox = route({
  method: 'PATCH',
  path: '/email-inbox/:id',
  summary: 'Change the alias, the title, the description or the answers of an email inbox',
  description: `Absent fields stay as they are; null clears the description and brings back the default of a setting. A former alias stays reserved for the account for 30 days.`,
  scope: 'EMAILINBOXES_WRITE',
  extension: true,
  params,
  body: z
    .object({
      alias: alias.optional(),
      title: title.optional(),
      description: description.nullish(),
      ...changedAnswers,
      ...changedCases,
    })
    .meta({ examples: [{ title: 'Support of the shop' }] }),
  errors: TAKEN,
  response: emailInbox,
  call: ({ params, body: { alias, title, description, ai_reply, notify, ...answers } }, { assistants }) =>
    assistants.updateEmailInbox({
      ...params,
      alias,
      title,
      descriptionChange: descriptionChange(description),
      answers: answersChange(answers),
      cases: casesChange({ ai_reply, notify }),
    }),
  toJson: ({ emailInbox }) => emailInboxJson(emailInbox!),
});

function descriptionChange(description: string | null | undefined) {
  if (description === undefined) return { case: undefined };
  if (description === null) return { case: 'clearDescription', value: true } as const;
  return { case: 'description', value: description } as const;
}

export const {
  list: listEmailInboxes,
  get: getEmailInbox,
  remove: deleteEmailInbox,
} = assistantRoutes(EMAIL_INBOX, {
  one: 'an email inbox',
  response: emailInbox,
  toJson: emailInboxJson,
  list: async ({ assistants }) => (await assistants.listEmailInboxes({})).emailInboxes,
  get: async ({ assistants }, params) => (await assistants.getEmailInbox(params)).emailInbox!,
  remove: async ({ assistants }, params) => (await assistants.deleteEmailInbox(params)).emailInbox!,
  removal: {
    summary: 'Delete an email inbox and its emails',
    errors: { 409: 'The alias of the inbox is being changed by other requests.' },
    description:
      'Answers with the inbox as it was. Its knowledge stays; its alias stays reserved for the account for 30 days.',
  },
});

export const {
  attachKnowledge: attachKnowledgeToEmailInbox,
  detachKnowledge: detachKnowledgeFromEmailInbox,
  listAttachedKnowledge: listKnowledgeOfEmailInbox,
} = attachedKnowledge(EMAIL_INBOX);
