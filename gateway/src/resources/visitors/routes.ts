import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { invalidArgument } from '@parley/runtime';
import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText, text } from '../../fields/text.ts';
import type { VisitorContext } from '../../public/visitor-context.ts';
import { visitorRoute } from '../../public/visitor-route.ts';
import { type Profile, unknownVisitor, type Visitor } from '../../public/visitor-tokens.ts';
import { eventsOf, eventsOfWhole, replyEvents } from '../chatbots/reply-stream.ts';
import {
  identified,
  noConversationJson,
  ownConversation,
  ownConversationJson,
  publicChatbot,
  publicChatbotJson,
  visitorReply,
  visitorReplyJson,
} from './json.ts';
import { VOTE } from './vote.ts';

const params = z.object({
  public_id: z
    .string()
    .regex(/^[A-Za-z0-9]{8,32}$/, 'must be a public id')
    .meta({ description: 'The public id of the chatbot.', pattern: undefined }),
});

const NOBODY: Profile = { name: '', email: '', userId: '', verified: false };

/** The visitor as the services take one: who a token names, or a new one. */
const personOf = ({ visitor, newVisitor }: VisitorContext) => ({
  id: visitor?.id ?? newVisitor,
  ...(visitor?.profile ?? NOBODY),
});

export const getPublicChatbot = visitorRoute({
  method: 'GET',
  path: '/chatbots/:public_id',
  summary: 'Read what a page shows of a chatbot',
  params,
  response: publicChatbot,
  call: async (_, context) => context,
  toJson: publicChatbotJson,
});

const DESCRIPTION =
  'Without a visitor token it begins a conversation. Repeat a request that broke off with its `Idempotency-Key`, of at least 22 random characters. With `Accept: text/event-stream` the reply is streamed while it is written.';

export const askAsVisitor = visitorRoute({
  method: 'POST',
  path: '/chatbots/:public_id/reply',
  summary: 'Ask a chatbot as a visitor, and get its reply',
  description: DESCRIPTION,
  visitor: 'known or new',
  params,
  body: z.object({ message: requiredText(10_000) }).meta({ examples: [{ message: 'When are you open?' }] }),
  response: visitorReply,
  timeout: 'replyMs',
  call: async ({ body }, context) => context.assistants.reply(await question(body.message, context)),
  toJson: (reply, { chatbot, tokens, ...context }) =>
    visitorReplyJson(
      reply,
      tokens.seal({ id: context.visitor?.id ?? context.newVisitor, chatbot: chatbot.id, session: reply.sessionId }),
    ),
  stream: {
    events: replyEvents,
    async *call({ body }, context) {
      return yield* eventsOf(context.assistants.streamReply({ reply: await question(body.message, context) }));
    },
    whole: eventsOfWhole,
  },
});

/** The question as the service takes it, once the visitor may ask it. */
async function question(message: string, context: VisitorContext) {
  const { chatbot, visitor, conversations } = context;
  const person = personOf(context);
  const sessionId = visitor?.session ?? '';
  // Nothing is known of who has no token yet.
  if (visitor) await conversations.checkVisitor({ chatbotId: chatbot.id, sessionId, visitor: person });
  await context.spend('message');
  return { kind: AssistantKind.CHATBOT, assistantId: chatbot.id, sessionId, message, visitor: person };
}

export const getOwnConversation = visitorRoute({
  method: 'GET',
  path: '/chatbots/:public_id/conversations/mine',
  summary: 'Read the conversation of a visitor',
  visitor: 'known',
  params,
  response: ownConversation,
  async call(_, { chatbot, visitor, conversations }) {
    const { id: visitorId, session: sessionId, profile = NOBODY } = visitor!;
    if (sessionId === undefined) return noConversationJson(profile);
    return ownConversationJson(await conversations.getVisitorChat({ chatbotId: chatbot.id, sessionId, visitorId }));
  },
  toJson: (conversation) => conversation,
});

export const voteOnAnswer = visitorRoute({
  method: 'POST',
  path: '/chatbots/:public_id/messages/:message_id/vote',
  summary: 'Vote on an answer',
  description: 'Replaces an earlier vote on it.',
  visitor: 'known',
  params: params.extend({ message_id: uuid }),
  body: z
    .object({ vote: VOTE.schema, reason: optional(text(500)) })
    .meta({ examples: [{ vote: 'down', reason: 'The hours are wrong.' }] }),
  async call({ params, body }, { chatbot, visitor, conversations, spend }) {
    const { id: visitorId, session: sessionId = '' } = visitor!;
    const { vote, reason } = body;
    await spend('change');
    const about = { chatbotId: chatbot.id, sessionId, visitorId, messageId: params.message_id };
    await conversations.voteOnAnswer({ ...about, kind: VOTE.valueOf(vote), reason });
  },
});

export const identifyVisitor = visitorRoute({
  method: 'POST',
  path: '/chatbots/:public_id/identify',
  summary: 'Say who a visitor is',
  description:
    'Replaces what was said before; what is absent is unknown. With `user_id`, `expires` and `signature` the page vouches for all of it. The signature is HMAC-SHA-256 in hexadecimal digits, under the identity secret of the chatbot, of `user_id`, `name`, `email` and `expires`, joined by line feeds, where absent ones are empty. If the conversation is that of another user that was vouched for, the new token begins one of its own.',
  visitor: 'known or new',
  params,
  body: z
    .object({
      name: optional(requiredText(200)),
      email: optional(requiredText(320)).meta({ format: 'email' }),
      user_id: optional(requiredText(200)).meta({ description: "The visitor's id on the page." }),
      expires: optional(z.int().min(0, 'must not be negative')).meta({
        description: 'Until when the signature is good: Unix seconds, at most a day ahead.',
      }),
      signature: optional(z.string().regex(/^[0-9A-Fa-f]{64}$/, 'must be 64 hexadecimal digits')),
    })
    .meta({ examples: [{ name: 'Ann', email: 'ann@example.com' }] }),
  response: identified,
  async call({ body }, context) {
    await context.spend('change');
    const profile = await profileOf(body, context);
    return identify({ ...personOf(context), ...profile }, profile, context);
  },
  toJson: (visitor, { tokens }) => ({ visitor_token: tokens.seal(visitor) }),
});

interface Said {
  name?: string | undefined;
  email?: string | undefined;
  user_id?: string | undefined;
  expires?: number | undefined;
  signature?: string | undefined;
}

/** Returns what is said of the visitor. Throws 401 for a signature that counts for nothing. */
async function profileOf(said: Said, { chatbot, assistants }: VisitorContext): Promise<Profile> {
  const { name = '', email = '', user_id: userId = '', expires, signature } = said;
  if (signature === undefined) return { name, email, userId, verified: false };
  if (userId === '') throw invalidArgument('user_id is required with a signature.');
  if (expires === undefined) throw invalidArgument('expires is required with a signature.');
  const vouching = { chatbotId: chatbot.id, userId, name, email, expires: BigInt(expires), signature };
  const { verified } = await assistants.verifyVisitor(vouching);
  if (!verified)
    throw unknownVisitor(
      'The signature has expired, or is not that of this user under the identity secret of this chatbot.',
    );
  return { name, email, userId, verified };
}

/** Who the visitor is from now on: the same one, or a new one if they turn out to be another person. */
async function identify(person: Profile & { id: string }, profile: Profile, context: VisitorContext): Promise<Visitor> {
  const { chatbot, visitor, newVisitor, conversations } = context;
  const at = { chatbotId: chatbot.id, sessionId: visitor?.session ?? '' };
  const known = visitor?.profile;
  if (known?.verified && !profile.verified)
    throw invalidArgument('This visitor is vouched for, so a change must be vouched for, too.');
  const isSame = at.sessionId
    ? (await conversations.identifyVisitor({ ...at, visitor: person })).samePerson
    : !known?.verified || known.userId === profile.userId;
  const id = isSame ? person.id : newVisitor;
  if (isSame && at.sessionId) return { id, chatbot: chatbot.id, session: at.sessionId };
  await conversations.checkVisitor({ chatbotId: chatbot.id, sessionId: '', visitor: { ...person, id } });
  return { id, chatbot: chatbot.id, profile };
}
