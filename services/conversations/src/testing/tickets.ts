import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs } from '@bufbuild/protobuf/wkt';
import {
  type Claim,
  type OpenThreadRequestSchema,
  ThreadKind,
  type ThreadRef,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { LIVE } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import { call, conversations, database } from './conversations.ts';

type Fields = MessageInitShape<typeof OpenThreadRequestSchema>;

export type Opened = Awaited<ReturnType<typeof open>>;
export type Ref = Pick<ThreadRef, 'kind' | 'assistantId' | 'id'>;

/** Opens a ticket, or whatever `fields` says. */
export async function open(
  { account = randomId(), operation = randomId(), replica = conversations, ...fields } = {} as NewConversation,
) {
  const request = {
    kind: ThreadKind.TICKET,
    assistantId: randomId(),
    fromEmail: 'ann@example.com',
    fromName: 'Ann',
    message: 'Why?',
    ...fields,
  } as const;
  const { thread } = await replica.openThread(request, call({ account, operation }).onward());
  const { kind, assistantId } = request;
  return { account, operation, assistantId, thread: thread!, ref: { kind, assistantId, id: thread!.id } as Ref };
}

type NewConversation = Fields & { account?: string; operation?: string; replica?: typeof conversations };

/** The calls of one account, each its own operation unless one is given. */
export const as =
  (account: string, keyId = 'key') =>
  (operation = randomId()) =>
    call({ account, operation, keyId }).onward();

/** Claims due answers until that to a message. */
export async function claimDue(entry: string, leaseMs = 30_000): Promise<Claim> {
  for (;;) {
    const { due } = await conversations.claimDueAnswer({ lease: durationFromMs(leaseMs) }, asWorker());
    if (!due) throw new Error('That message does not wait for an answer.');
    if (due.claim!.questionId === entry) return due.claim!;
  }
}

/** A call of the worker in the assistants service. */
export const asWorker = () => call({ account: undefined as never }).onward();

export async function conversationOf({ account, ref: thread }: Pick<Opened, 'account' | 'ref'>) {
  const { conversation } = await conversations.getThread({ thread }, as(account)());
  return conversation.map(({ role, message }) => `${role === 1 ? 'user' : 'assistant'}: ${message}`);
}

type Documents = Record<string, unknown>[];

/**
 * Everything stored of an account, to compare before and after: without what changes in the background, which is the
 * relay of events, the copies of last entries, and how often versions are bumped. Without tombstones, which say nothing.
 */
export async function everythingOf(account: string) {
  const find = async (name: string): Promise<Documents> =>
    database()
      .collection(name)
      .find({ account, ...LIVE })
      .sort({ _id: 1 })
      .toArray();
  const [threads, entries, evidence, blocks, listVersions] = await Promise.all(
    ['threads', 'entries', 'evidence', 'blocks', 'list_versions'].map(find),
  );
  const kept = new Map(entries!.map((entry) => [entry['_id'], entry]));
  for (const { last } of threads! as { last: { _id: string } | null }[]) if (last) kept.set(last._id, last);
  const withoutOutbox = (documents: Documents) =>
    documents.map(({ outbox, outbox_due, outbox_claim, ...document }) => document);
  return {
    threads: withoutOutbox(threads!),
    entries: [...kept.values()].sort((a, b) => String(a['_id']).localeCompare(String(b['_id']))),
    evidence: evidence!,
    blocks: withoutOutbox(blocks!),
    listVersions: listVersions!.map(({ n, ...version }) => version),
  };
}
