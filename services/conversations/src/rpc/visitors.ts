import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ConversationsService,
  Role,
  type VisitorMessageSchema,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { asChat } from '../domain/entries.ts';
import { valueAt } from '../domain/enums.ts';
import { addressesOf, MAX_REASON, VOTES } from '../domain/visitors.ts';
import type { EntryDoc } from '../store/model.ts';
import { blocked } from '../store/questions.ts';
import { chatMessage, confidenceNumber, visitorOf } from './messages.ts';

type Service = typeof ConversationsService.method;
type Visiting = Pick<Dependencies, 'threads' | 'blocks' | 'visitors'>;

/** Bounds one response: half of the messages of a chat, since sources come in addition. */
const MAX_MESSAGES = 200;
const MAX_TEXT_BYTES = 2 * 1024 * 1024;

export const checkVisitor =
  ({ blocks, visitors }: Visiting): Rpc<Service['checkVisitor']> =>
  async ({ chatbotId: assistant, sessionId: session, ...request }, { account }) => {
    const visitor = visitorOf(request.visitor);
    if (session !== '') await visitors.chat({ account, assistant, session, visitor: visitor.id });
    else if (await blocks.holdsFor({ account, kind: 'chat', assistant }, addressesOf(visitor))) throw blocked();
    return {};
  };

export const getVisitorChat =
  ({ threads, visitors }: Visiting): Rpc<Service['getVisitorChat']> =>
  async ({ chatbotId: assistant, sessionId: session, visitorId: visitor }, { account }) => {
    const chat = await visitors.chat({ account, assistant, session, visitor });
    const newest = await threads.entries.of(chat, { said: true, limit: MAX_MESSAGES });
    return { chat: chatMessage(chat), messages: asChat(shortened(newest)).map(messageOf) };
  };

export const identifyVisitor =
  ({ visitors }: Visiting): Rpc<Service['identifyVisitor']> =>
  async ({ chatbotId: assistant, sessionId: session, visitor }, { account }) => ({
    samePerson: await visitors.identify({ account, assistant, session }, visitorOf(visitor)),
  });

export const voteOnAnswer =
  ({ visitors }: Visiting): Rpc<Service['voteOnAnswer']> =>
  async ({ chatbotId: assistant, sessionId: session, visitorId: visitor, ...request }, { account }) => {
    const vote = valueAt('vote', VOTES, request.kind);
    if (!vote) throw invalidArgument('vote is missing.');
    const reason = boundedText('reason', request.reason, MAX_REASON);
    await visitors.vote({ account, assistant, session, visitor }, { entry: request.messageId, vote, reason });
    return {};
  };

/** The newest entries whose text fits into a response. */
function shortened(entries: readonly EntryDoc[]): readonly EntryDoc[] {
  let bytes = 0;
  const last = entries.findLastIndex(({ text }) => {
    bytes += Buffer.byteLength(text);
    return bytes > MAX_TEXT_BYTES;
  });
  return entries.slice(last + 1);
}

const messageOf = ({
  _id,
  by,
  text,
  sources = [],
  confidence,
  at,
}: EntryDoc): MessageInitShape<typeof VisitorMessageSchema> => ({
  id: _id,
  role: by === 'user' ? Role.USER : Role.ASSISTANT,
  message: text,
  sources,
  confidence: confidenceNumber(confidence),
  at: timestampFromDate(at),
});
