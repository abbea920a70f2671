import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AiState,
  type AnswerSchema,
  Confidence,
  ConversationsService,
  type EvidenceSchema,
  type FindMailFileResponseSchema,
  Role,
  ThreadKind,
  ThreadPriority,
  type ThreadRef,
  type ThreadSchema,
  ThreadStatus,
  type Visitor,
  type VoteKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { notFound, permissionDenied, unavailable } from '@parley/runtime';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { at, double, type Owned, pageOf, table } from './double-table.ts';

type ThreadRow = Owned &
  Pick<MessageInitShape<typeof ThreadSchema>, 'kind' | 'status' | 'priority' | 'fromEmail' | 'subject' | 'link'> & {
    assistantId: string;
    conversation: { role: Role; message: string }[];
    changes: { by: string; field: string; from: string; to: string }[];
    blocked: boolean;
    ai: AiState;
    draft?: { answer: MessageInitShape<typeof AnswerSchema>; createdAt: typeof at } | undefined;
  };

export function conversationsDouble() {
  const threads = table<ThreadRow>('thread');
  const state = {
    lastFilter: {} as { before?: bigint | undefined; after?: bigint | undefined; statuses?: ThreadStatus[] },
    /** The operations whose replies are stored. */
    replied: new Set<string>(),
    /** Replies are stored, but their senders never hear of it. */
    losesAnswers: false,
    lastPersona: undefined as { name: string; imageUrl?: string } | undefined,
    /** The evidence of every reply of every thread. */
    evidence: [] as MessageInitShape<typeof EvidenceSchema>[],
    /** By the id of an attachment; the raw message is under the empty id. */
    mailFiles: new Map<string, MessageInitShape<typeof FindMailFileResponseSchema>>(),
    threads,
    /** Ids of visitors who are blocked. */
    blocked: new Set<string>(),
    /** Profiles of visitors, by session. */
    visitors: new Map<string, Visitor>(),
    votes: [] as { messageId: string; kind: VoteKind; reason: string }[],
    lastChatFilter: {} as { vote?: number; verified?: boolean | undefined },
    /** Opens a ticket or an email. */
    open(thread: Pick<ThreadRow, 'account' | 'kind' | 'assistantId'> & Partial<ThreadRow>): string {
      const id = randomId();
      const { OPEN: status } = ThreadStatus;
      const conversation = [{ role: Role.USER, message: 'Help!' }];
      const fresh = {
        id,
        status,
        priority: ThreadPriority.MEDIUM,
        conversation,
        changes: [],
        blocked: false,
        ai: AiState.OFF,
      };
      return threads.add({ ...fresh, ...thread }).id;
    },
  };
  const none = () => Promise.reject(notFound('There is no such question.'));

  function find(call: { account: string }, ref: Pick<ThreadRef, 'kind' | 'assistantId' | 'id'> | undefined): ThreadRow {
    const { kind, assistantId, id } = ref!;
    // The one chat of every chatbot.
    if (kind === ThreadKind.CHAT && id === deriveId(assistantId, 'chat') && !threads.rows.some((row) => row.id === id))
      state.open({ id, account: call.account, kind, assistantId });
    const row = threads.of(call.account).find((row) => row.id === id);
    if (row?.kind !== kind || row.assistantId !== assistantId) throw notFound('There is no such thread.');
    return row;
  }
  function draftOf({ draft }: ThreadRow) {
    if (!draft) throw notFound('There is no draft.');
    return draft;
  }
  function refuseBlocked(visitor: string) {
    if (state.blocked.has(visitor)) throw permissionDenied('This conversation is blocked.');
  }
  const thread = ({ conversation, changes, draft, ...row }: ThreadRow) => ({ ...row, createdAt: at, updatedAt: at });
  const nameOf = (values: Record<string, number>, value: number | undefined) =>
    Object.keys(values)
      .find((name) => values[name] === value)!
      .toLowerCase();

  const handlers = double(ConversationsService, {
    async listChats(request) {
      state.lastFilter = { before: request.createdBefore?.seconds, after: request.createdAfter?.seconds };
      state.lastChatFilter = { vote: request.vote, verified: request.verified };
      const chats = Array.from({ length: 3 }, (_, i) => ({
        id: deriveId(request.chatbotId, `${i}`),
        sessionId: deriveId(`${i}`),
        createdAt: at,
        updatedAt: at,
      }));
      return pageOf(chats, request);
    },
    async getChat({ chatbotId, id }) {
      if (id !== deriveId(chatbotId, 'chat')) throw notFound('There is no such chat.');
      return {
        chat: { id, sessionId: randomId(), createdAt: at, updatedAt: at },
        conversation: [
          { role: Role.USER, message: 'Is it?' },
          { role: Role.ASSISTANT, message: 'Yes [1].' },
        ],
      };
    },
    async checkVisitor({ visitor }) {
      refuseBlocked(visitor!.id);
      return {};
    },
    async getVisitorChat({ chatbotId, sessionId, visitorId }) {
      refuseBlocked(visitorId);
      const visitor = state.visitors.get(sessionId) ?? { id: visitorId };
      const answer = { sources: [{ n: 1, title: 'Page', url: '' }], confidence: Confidence.HIGH, at };
      return {
        chat: { id: deriveId(chatbotId, 'chat'), sessionId, createdAt: at, updatedAt: at, visitor, votes: state.votes },
        messages: [
          { id: deriveId('question'), role: Role.USER, message: 'Is it?', at },
          { id: deriveId('answer'), role: Role.ASSISTANT, message: 'Yes [1].', ...answer },
        ],
      };
    },
    async identifyVisitor({ sessionId, visitor }) {
      refuseBlocked(visitor!.id);
      const known = state.visitors.get(sessionId);
      const samePerson = !known?.verified || known.userId === visitor!.userId;
      if (samePerson) state.visitors.set(sessionId, visitor!);
      return { samePerson };
    },
    async voteOnAnswer({ visitorId, messageId, kind, reason }) {
      refuseBlocked(visitorId);
      if (messageId !== deriveId('answer')) throw notFound('There is no such answer.');
      state.votes = [{ messageId, kind, reason }];
      return {};
    },
    async listThreads(request, call) {
      const { kind, assistantId, statuses, createdBefore: before, createdAfter: after } = request;
      state.lastFilter = { before: before?.seconds, after: after?.seconds, statuses };
      const rows = threads.of(call.account).filter((row) => row.kind === kind && row.assistantId === assistantId);
      const page = pageOf(
        rows.filter(({ status }) => statuses.length === 0 || statuses.includes(status!)),
        request,
      );
      return { ...page, items: page.items.map(thread) };
    },
    async getThread({ thread: ref }, call) {
      const row = find(call, ref);
      return { thread: thread(row), conversation: row.conversation };
    },
    async updateThread({ thread: ref, status, priority }, call) {
      const row = find(call, ref);
      const change = (field: string, values: Record<string, number>, from: number | undefined, to: number) => {
        if (to === 0 || from === to) return;
        row.changes.push({ by: call.context.keyId!, field, from: nameOf(values, from), to: nameOf(values, to) });
      };
      change('status', ThreadStatus, row.status, status);
      change('priority', ThreadPriority, row.priority, priority);
      row.status = status || row.status;
      row.priority = priority || row.priority;
      return {};
    },
    async replyToThread({ thread: ref, message, persona, onlyRepeat }, call) {
      const { conversation } = find(call, ref);
      const isRepeated = state.replied.has(call.operation);
      if (onlyRepeat && !isRepeated) throw notFound('This operation has stored no message.');
      if (!isRepeated) conversation.push({ role: Role.ASSISTANT, message });
      state.replied.add(call.operation);
      state.lastPersona = persona;
      if (state.losesAnswers) throw unavailable('The answer was lost.');
      return {};
    },
    async listChanges(request, call) {
      const page = pageOf(find(call, request.thread).changes, request);
      return { ...page, items: page.items.map((change) => ({ ...change, at })) };
    },
    async blockThread({ thread: ref }, call) {
      find(call, ref).blocked = true;
      return {};
    },
    async unblockThread({ thread: ref }, call) {
      find(call, ref).blocked = false;
      return {};
    },
    async listEvidence(request, call) {
      find(call, request.thread);
      return pageOf(state.evidence, request);
    },
    async getDraft({ thread: ref }, call) {
      return { draft: draftOf(find(call, ref)) };
    },
    async changeDraft({ thread: ref, message }, call) {
      const draft = draftOf(find(call, ref));
      draft.answer = { message };
      return { draft };
    },
    async discardDraft({ thread: ref }, call) {
      find(call, ref).draft = undefined;
      return {};
    },
    async sendDraft({ thread: ref }, call) {
      const row = find(call, ref);
      row.conversation.push({ role: Role.ASSISTANT, message: draftOf(row).answer.message! });
      row.draft = undefined;
      return {};
    },
    async setAi({ thread: ref, on }, call) {
      const row = find(call, ref);
      row.ai = on ? AiState.PENDING : AiState.HELD;
      return { ai: row.ai };
    },
    async findMailFile({ thread: ref, file }, call) {
      find(call, ref);
      const found = state.mailFiles.get(file.value ?? '');
      if (!found) throw notFound('There is no such attachment.');
      return found;
    },
    async admitMail({ assistantId }, { account }) {
      return { folder: `mail/${account}/${assistantId}/` };
    },
    async revokeLink({ thread: ref }, call) {
      const row = find(call, ref);
      row.link = (row.link ?? 0) + 1;
      return {};
    },
    findNotice: none,
    findSentMail: none,
    receiveMail: none,
    reportBounce: none,
    claimMail: none,
    endMail: none,
    queueNotice: none,
    claimDueAnswer: none,
    postponeAnswer: none,
    declineAnswer: none,
    storeDraft: none,
    openThread: none,
    addUserMessage: none,
    askQuestion: none,
    extendClaim: none,
    answerQuestion: none,
    failQuestion: none,
    getUsage: async () => ({ items: [{ name: 'chats', used: 3n }] }),
    deleteAccountData: none,
  });
  return { state, handlers };
}
