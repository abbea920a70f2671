import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Duration, durationMs, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type AiState as AiStateNumber,
  type AnswerSchema,
  type AttachmentSchema,
  type ChatSchema,
  type Claim as ClaimMessage,
  type ClaimSchema,
  type Confidence as ConfidenceNumber,
  type DeliveryState,
  type MessageSchema,
  Role,
  type ThreadKind,
  type ThreadPriority,
  type ThreadRef as ThreadRefMessage,
  type ThreadRefSchema,
  type ThreadSchema,
  type ThreadStatus,
  type Visitor as VisitorMessage,
  type VisitorSchema,
  type VoteKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument } from '@parley/runtime';
import { AI_STATES, aiState } from '../domain/ai-state.ts';
import { type Answered, asChat } from '../domain/entries.ts';
import { numberOf, valueAt } from '../domain/enums.ts';
import { CONFIDENCES, type Confidence } from '../domain/evidence.ts';
import type { Attachment, ReceivedMail } from '../domain/mail.ts';
import { PRIORITIES, STATUSES } from '../domain/status.ts';
import { checkVisitor, type Visitor, VOTES } from '../domain/visitors.ts';
import type { Claim } from '../store/claims.ts';
import type { DeliveryDoc } from '../store/mails.ts';
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

export const claimMessage = ({ thread, entry, fence }: Claim): MessageInitShape<typeof ClaimSchema> => ({
  threadId: thread,
  questionId: entry,
  fence,
});

export function kindOf(number: ThreadKind): Kind {
  const kind = valueAt('kind', KINDS, number);
  if (!kind) throw invalidArgument('kind is missing.');
  return kind;
}

export function refOf(account: string, ref: ThreadRefMessage | undefined): ThreadRef {
  if (!ref) throw invalidArgument('thread is missing.');
  return { account, kind: kindOf(ref.kind), assistant: ref.assistantId, id: ref.id };
}

export const refMessage = ({ kind, assistant, id }: ThreadRef): MessageInitShape<typeof ThreadRefSchema> => ({
  kind: numberOf(KINDS, kind) as ThreadKind,
  assistantId: assistant,
  id,
});

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
  ai: numberOf(AI_STATES, aiState(thread)) as AiStateNumber,
  link: thread.link ?? 0,
});

export const chatMessage = (chat: ListedThread): MessageInitShape<typeof ChatSchema> => ({
  id: chat._id,
  sessionId: chat.session_id ?? '',
  createdAt: timestampFromDate(chat.created_at),
  updatedAt: timestampFromDate(chat.updated_at),
  ...(chat.visitor && { visitor: visitorMessage(chat.visitor) }),
  votes: (chat.votes ?? []).map(({ entry, vote, reason, at }) => ({
    messageId: entry,
    kind: numberOf(VOTES, vote) as VoteKind,
    reason,
    at: timestampFromDate(at),
  })),
});

const visitorMessage = ({ user_id: userId, ...visitor }: Visitor): MessageInitShape<typeof VisitorSchema> => ({
  ...visitor,
  userId,
});

/** @throws AppError `invalid_argument` that names the field. */
export function visitorOf(visitor: VisitorMessage | undefined): Visitor {
  if (!visitor) throw invalidArgument('visitor is missing.');
  const { id, name, email, userId, verified } = visitor;
  return checkVisitor({ id, name, email, user_id: userId, verified });
}

export const answerMessage = ({
  _id = '',
  text,
  sources = [],
  confidence,
}: Partial<Answered & Pick<EntryDoc, '_id'>> & { text: string }): MessageInitShape<typeof AnswerSchema> => ({
  id: _id,
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

/** The messages of a ticket or an email, in order. */
export const threadConversation = (
  entries: readonly EntryDoc[],
  deliveries: ReadonlyMap<string, DeliveryDoc>,
  withQuoted: boolean,
): MessageInitShape<typeof MessageSchema>[] =>
  entries.map(({ _id: id, by, text, at, mail, attached, mailed }) => ({
    ...{ id, role: by === 'user' ? Role.USER : Role.ASSISTANT, message: text, at: timestampFromDate(at) },
    ...(mailed &&
      mailed !== 'link' && { delivery: deliveryMessage(deliveries.get(id) ?? { state: 'queued', reason: null, at }) }),
    ...(mail && { mail: receivedMailMessage(mail, withQuoted) }),
    ...(attached && { attachments: attached.files.map(attachmentMessage) }),
  }));

const DELIVERY_STATES = ['queued', 'sent', 'failed'] as const;

const deliveryMessage = ({ state, reason, at }: DeliveryDoc) => ({
  state: numberOf(DELIVERY_STATES, state) as DeliveryState,
  reason: reason ?? '',
  at: timestampFromDate(at),
});

const receivedMailMessage = (
  { from, verdicts, quoted, is_cut, attachments, ...flags }: ReceivedMail,
  withQuoted: boolean,
) => ({
  ...{ ...flags, ...verdicts, fromEmail: from, isCut: is_cut },
  quoted: withQuoted ? quoted : '',
  attachments: attachments.map(attachmentMessage),
});

export const attachmentMessage = ({
  is_inline: isInline,
  ...attachment
}: Attachment): MessageInitShape<typeof AttachmentSchema> => ({ ...attachment, isInline });
