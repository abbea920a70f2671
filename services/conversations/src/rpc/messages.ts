import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Duration, durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ChatSchema, TurnSchema } from '@parley/proto/conversations/v1/conversations_service_pb';
import { type AppError, aborted, invalidArgument } from '@parley/runtime';
import type { ChatDoc, TurnDoc } from '../store/model.ts';

const MIN_LEASE_MS = 1_000;
const MAX_LEASE_MS = 60_000;

/** Milliseconds. @throws AppError `invalid_argument` out of bounds. */
export function leaseMs(lease: Duration | undefined): number {
  const ms = lease ? durationMs(lease) : 0;
  if (ms < MIN_LEASE_MS || ms > MAX_LEASE_MS) throw invalidArgument('lease must be from 1 to 60 seconds.');
  return ms;
}

export const notYours = (): AppError => aborted('This turn was given up or taken over.');

/** @param said when something was last said in the chat, whose first question is stored a moment before the chat */
export const chatMessage = (chat: ChatDoc, said: Date = chat.created_at): MessageInitShape<typeof ChatSchema> => ({
  id: chat._id,
  sessionId: chat.session_id,
  createdAt: timestampFromDate(chat.created_at),
  updatedAt: timestampFromDate(said > chat.created_at ? said : chat.created_at),
});

export const turnMessage = (turn: TurnDoc, session: string): MessageInitShape<typeof TurnSchema> => ({
  id: turn._id,
  threadId: turn.thread,
  sessionId: session,
  n: turn.n,
  fence: turn.fence,
  question: turn.question,
  answer: turn.answer ?? undefined,
});
