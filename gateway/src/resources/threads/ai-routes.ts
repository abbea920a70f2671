import { z } from 'zod';
import { requiredText } from '../../fields/text.ts';
import { route } from '../../route.ts';
import { draft, draftJson } from './json.ts';
import { type CaseResource, oneThread } from './kinds.ts';
import { AI } from './messages.ts';

const aiOfThread = z.object({ ai: AI.schema }).meta({ id: 'ThreadAi', examples: [{ ai: 'pending' }] });

/** Returns the routes by which the owner directs the AI in a ticket or an email. */
export function aiRoutes(resource: CaseResource) {
  const { words, scopes } = resource;
  const { path, params, ref } = oneThread(resource);
  const about = { extension: true, scope: scopes.write, params } as const;
  const drafts = { ...about, path: `${path}/draft` };
  return {
    getDraft: route({
      ...drafts,
      method: 'GET',
      summary: `Read the draft of an answer in ${words.one}`,
      description: '404 if there is none: the AI has not answered yet, could not, or a person was faster.',
      response: draft,
      call: async ({ params }, context) => context.conversations.getDraft({ thread: await ref(params, context) }),
      toJson: ({ draft }) => draftJson(draft!),
    }),
    changeDraft: route({
      ...drafts,
      method: 'PUT',
      summary: `Replace the text of the draft in ${words.one}`,
      description:
        'Its sources go, since they need not fit any more. A draft that was changed is sent in the name of the owner.',
      body: z.object({ message: requiredText(10_000) }).meta({ examples: [{ message: 'Please send us the lamp.' }] }),
      response: draft,
      call: async ({ params, body: { message } }, context) =>
        context.conversations.changeDraft({ thread: await ref(params, context), message }),
      toJson: ({ draft }) => draftJson(draft!),
    }),
    discardDraft: route({
      ...drafts,
      method: 'DELETE',
      summary: `Discard the draft in ${words.one}`,
      description: 'Succeeds if there is none.',
      call: async ({ params }, context) => context.conversations.discardDraft({ thread: await ref(params, context) }),
    }),
    sendDraft: route({
      ...about,
      method: 'POST',
      path: `${path}/draft/send`,
      summary: `Send the draft in ${words.one}`,
      description: 'The AI may answer the next message.',
      call: async ({ params }, context) =>
        context.conversations.sendDraft({
          thread: await ref(params, context),
          ownerName: context.identity.account.name,
        }),
    }),
    setAi: route({
      ...about,
      method: 'PUT',
      path: `${path}/ai`,
      summary: `Hand ${words.one} to the AI, or take it away`,
      description:
        'On: the AI answers the newest message if nobody has, and those to come. Off: it stays out, as after a reply of the owner.',
      body: z.object({ on: z.boolean() }).meta({ examples: [{ on: true }] }),
      response: aiOfThread,
      call: async ({ params, body: { on } }, context) =>
        context.conversations.setAi({ thread: await ref(params, context), on }),
      toJson: ({ ai }) => ({ ai: AI.nameOf(ai) }),
    }),
  };
}
