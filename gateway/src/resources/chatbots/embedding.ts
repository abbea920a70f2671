import { z } from 'zod';
import { route } from '../../route.ts';
import { CHATBOT } from '../assistants/kinds.ts';

const { params } = CHATBOT;

const embed = z
  .object({
    snippet: z.string().meta({ description: 'For the pages of the allowed domains.' }),
    page: z.string().meta({ description: 'The address of a page of its own.', format: 'uri' }),
  })
  .meta({
    id: 'Embed',
    examples: [
      {
        snippet: '<script async src="https://parley.example.com/widget.js" data-chatbot="R7ne6P7zrruV"></script>',
        page: 'https://parley.example.com/chat/R7ne6P7zrruV',
      },
    ],
  });

export const getEmbed = route({
  method: 'GET',
  path: '/chatbot/:id/embed',
  summary: 'Read the snippet that shows a chatbot on a page',
  scope: 'any key',
  restricted: [CHATBOT.scopes.write],
  extension: true,
  params,
  response: embed,
  call: ({ params }, { assistants }) => assistants.getChatbot(params),
  toJson({ chatbot }, { baseUrl }) {
    const { publicId, appearance } = chatbot!;
    // The widget asks for nothing before it is opened, so the tag says what its button looks like.
    const colour = appearance?.colour ? ` data-colour="${appearance.colour}"` : '';
    const { origin } = new URL(baseUrl);
    const address = baseUrl.replace(/\/v1$/, '') || origin;
    return {
      snippet: `<script async src="${address}/widget.js" data-chatbot="${publicId}"${colour}></script>`,
      page: `${address}/chat/${publicId}`,
    };
  },
});

export const createIdentitySecret = route({
  method: 'POST',
  path: '/chatbot/:id/identity-secret',
  summary: 'Create the secret with which pages vouch for their users',
  description: 'It is shown once, and replaces the one before at once.',
  scope: 'CHATBOTS_WRITE',
  extension: true,
  showsSecret: true,
  params,
  response: z
    .object({ secret: z.string() })
    .meta({ id: 'IdentitySecret', examples: [{ secret: 'c2VjcmV0IG9mIGEgY2hhdGJvdCwgc2hvd24gb25jZSE' }] }),
  call: ({ params }, { assistants }) => assistants.createIdentitySecret({ chatbotId: params.id }),
  toJson: ({ secret }) => ({ secret }),
});
