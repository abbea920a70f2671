import { z } from 'zod';
import { requiredText } from '../../fields/text.ts';
import { route } from '../../route.ts';
import { aiRoutes } from '../threads/ai-routes.ts';
import { fileRoutes } from '../threads/files.ts';
import { email, emailJson, listedEmail, listedEmailJson } from '../threads/json.ts';
import { EMAIL, oneThread } from '../threads/kinds.ts';
import { caseRoutes, threadRoutes } from '../threads/routes.ts';

export const {
  list: listEmails,
  read: getEmail,
  update: updateEmail,
  listChanges: listEmailChanges,
} = caseRoutes(EMAIL, {
  listed: listedEmail,
  listedJson: listedEmailJson,
  single: email,
  singleJson: emailJson,
});

export const { block: blockEmail, unblock: unblockEmail, listEvidence: listEmailEvidence } = threadRoutes(EMAIL);

export const {
  getDraft: getEmailDraft,
  changeDraft: changeEmailDraft,
  discardDraft: discardEmailDraft,
  sendDraft: sendEmailDraft,
  setAi: setEmailAi,
} = aiRoutes(EMAIL);

export const { getRaw: getRawEmail, getAttachment: getEmailAttachment } = fileRoutes(EMAIL);

const { path, params, ref } = oneThread(EMAIL);

export const replyToEmail = route({
  method: 'POST',
  path: `${path}/reply`,
  summary: 'Reply to an email as the owner',
  description: 'From then on the AI stays out of the conversation.',
  scope: EMAIL.scopes.write,
  params,
  body: z.object({ message: requiredText(10_000) }).meta({ examples: [{ message: 'Please send us the lamp.' }] }),
  call: async ({ params, body }, context) =>
    context.conversations.replyToThread({
      thread: await ref(params, context),
      message: body.message,
      ownerName: context.identity.account.name,
    }),
});
