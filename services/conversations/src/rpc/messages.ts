import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Duration, durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type AnswerSchema,
  type ChatSchema,
  type Claim as ClaimMessage,
  type Confidence as ConfidenceNumber,
  type MessageSchema,
  Role,
  type ThreadKind,
  type ThreadPriority,
  type ThreadRef as ThreadRefMessage,
  type ThreadSchema,
  type ThreadStatus,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { asChat } from '../domain/entries.ts';
import { numberOf, valueAt } from '../domain/enums.ts';
import { CONFIDENCES, type Confidence } from '../domain/evidence.ts';
import { PRIORITIES, STATUSES } from '../domain/status.ts';
import type { Claim } from '../store/claims.ts';
import { type EntryDoc, KINDS, type Kind, type ThreadRef } from '../store/model.ts';
import type { ListedThread } from '../store/threads.ts';

const MIN_LEASE_MS = 1_000;
const MAX_LEASE_MS = 60_000;

/** In milliseconds. @throws AppError `invalid_argument` if out of bounds. */
export function leaseMs(lease: Duration | undefined): number {
  const ms = lease ? durationMs(lease) : 0;
  if (ms < MIN_LEASE_MS || ms > MAX_LEASE_MS) throw invalidArgument('lease must be from 1 to 60 seconds.');
  return ms;
}

export function claimOf(claim: ClaimMessage | undefined): Claim {
  if (!claim) throw invalidArgument('claim is missing.');
  return { thread: claim.threadId, entry: claim.questionId, fence: claim.fence };
}

export function kindOf(number: ThreadKind): Kind {
  const kind = valueAt('kind', KINDS, number);
  if (!kind) throw invalidArgument('kind is missing.');
  return kind;
}

export function refOf(account: string, ref: ThreadRefMessage | undefined): ThreadRef {
  if (!ref) throw invalidArgument('thread is missing.');
  return { account, kind: kindOf(ref.kind), assistant: ref.assistantId, id: ref.id };
}

export const threadMessage = (thread: ListedThread): MessageInitShape<typeof ThreadSchema> => ({
  id: thread._id,
  kind: numberOf(KINDS, thread.kind) as ThreadKind,
  status: numberOf(STATUSES, thread.status) as ThreadStatus,
  priority: numberOf(PRIORITIES, thread.priority) as ThreadPriority,
  fromEmail: thread.from?.email ?? '',
  fromName: thread.from?.name ?? '',
  subject: thread.subject ?? '',
  createdAt: timestampFromDate(thread.created_at),
  updatedAt: timestampFromDate(thread.updated_at),
});

export const chatMessage = (chat: ListedThread): MessageInitShape<typeof ChatSchema> => ({
  id: chat._id,
  sessionId: chat.session_id ?? '',
  createdAt: timestampFromDate(chat.created_at),
  updatedAt: timestampFromDate(chat.updated_at),
});

export const answerMessage = ({ text, sources = [], confidence }: EntryDoc): MessageInitShape<typeof AnswerSchema> => ({
  message: text,
  sources,
  confidence: confidenceNumber(confidence),
});

export const confidenceNumber = (confidence: Confidence | null = null): ConfidenceNumber =>
  numberOf(CONFIDENCES, confidence) as ConfidenceNumber;

/** @throws AppError `invalid_argument` for a value that this version does not know. */
export const confidenceOf = (field: string, number: ConfidenceNumber): Confidence | null =>
  valueAt(field, CONFIDENCES, number) ?? null;

export const conversation = (entries: readonly EntryDoc[]): MessageInitShape<typeof MessageSchema>[] =>
  asChat(entries)
    .filter(({ by }) => by !== 'system')
    .map(({ by, text }) => ({ role: by === 'user' ? Role.USER : Role.ASSISTANT, message: text }));
