import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AnswerSettingsChange,
  type AnswerSettingsSchema,
  type AppearanceChange,
  type AppearanceSchema,
  AssistantKind,
  AssistantsService,
  type FormField,
  type OpenTicketRequest,
  type ReplyRequest,
} from '@parley/proto/assistants/v1/assistants_service_pb';
import { Confidence, type Visitor } from '@parley/proto/conversations/v1/conversations_service_pb';
import { KnowledgeType } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { Window } from '@parley/proto/usage/v1/usage_pb';
import { alreadyExists, notFound, permissionDenied } from '@parley/runtime';
import { type Call, deriveId, service } from '@parley/runtime/rpc';
import { at, type Owned, pageOf, table } from './double-table.ts';

const SOURCES = [
  { n: 1, title: 'Page', url: 'https://example.org/' },
  { n: 2, title: 'Question', url: '' },
];

export function assistantsDouble() {
  type Answering = Owned & { answers?: MessageInitShape<typeof AnswerSettingsSchema> };
  type Shown = Answering & {
    publicId: string;
    title: string;
    allowedDomains: string[];
    appearance?: MessageInitShape<typeof AppearanceSchema>;
  };
  const chatbots = table<Shown>('chatbot');
  const forms = table<Shown & { fields: FormField[] }>('ticket form');
  const inboxes = table<Answering & { alias: string; title: string; description?: string | undefined }>('email inbox');
  const attached = new Map<string, string[]>();
  const state = {
    aborted: 0,
    /** The tickets that were opened with a form. */
    opened: [] as OpenTicketRequest[],
    /** Why no ticket can be opened. */
    refusesTickets: undefined as Error | undefined,
    beforeReply: async () => {},
    /** The text of every reply, in the parts in which it is streamed. */
    parts: ['Yes', ' [1].', ' Also [2].'],
    /** Called before each part of a stream. */
    beforePart: async (_part: number) => {},
    /** Replies given, by operation: as in the service, the same operation again gets the same reply. */
    replies: new Map<string, number>(),
    /** Who asked last. */
    lastVisitor: undefined as Visitor | undefined,
    /** The signature that vouches for anybody. */
    signature: '',
  };
  const publicId = (operation: string) => deriveId(operation).replaceAll('-', '').slice(0, 12);
  const findIn = <T extends Shown>(rows: ReturnType<typeof table<T>>) => {
    return (account: string, id: string) => rows.get(account, rows.rows.find((row) => row.publicId === id)?.id ?? id);
  };
  const [chatbot, form] = [findIn(chatbots), findIn(forms)];
  const inbox = (account: string, id: string) =>
    inboxes.get(account, inboxes.rows.find((row) => row.alias === id)?.id ?? id);
  const find = (kind: AssistantKind, account: string, id: string): Owned =>
    (kind === AssistantKind.CHATBOT ? chatbot : kind === AssistantKind.TICKET_FORM ? form : inbox)(account, id);
  const checkAlias = (alias: string) => {
    if (inboxes.rows.some((row) => row.alias === alias)) throw alreadyExists(`The alias ${alias} is taken.`);
  };
  const withIds = (fields: FormField[]) => fields.map((field, i) => ({ ...field, id: field.id || deriveId(`${i}`) }));
  const answer = (row: Answering, change: AnswerSettingsChange | undefined) => {
    const fields = Object.entries(change ?? {}).filter(([name]) => !name.startsWith('$'));
    for (const [name, value] of fields) row.answers = { ...row.answers, [name]: value === '' ? undefined : value };
  };
  const appear = (row: Shown, change: AppearanceChange | undefined) => {
    const { suggestions, colour, ticketFormId, visitorMessagesPerDay } = change ?? {};
    if ([suggestions, colour, ticketFormId, visitorMessagesPerDay].every((field) => field === undefined)) return;
    row.appearance = {
      ...row.appearance,
      ...(suggestions && { suggestions: suggestions.values }),
      ...(colour !== undefined && { colour: colour || undefined }),
      ...(ticketFormId !== undefined && { ticketFormId: ticketFormId || undefined }),
      ...(visitorMessagesPerDay !== undefined && { visitorMessagesPerDay: visitorMessagesPerDay || undefined }),
    } as NonNullable<Shown['appearance']>;
  };
  const remove = <T extends Owned>(rows: ReturnType<typeof table<T>>, row: T): T => {
    rows.remove(row.id);
    return row;
  };

  async function reply({ assistantId, sessionId, visitor }: ReplyRequest, call: Call) {
    state.lastVisitor = visitor;
    const { id } = chatbot(call.account, assistantId);
    call.signal.addEventListener('abort', () => {
      state.aborted += 1;
    });
    await state.beforeReply();
    state.replies.set(call.operation, (state.replies.get(call.operation) ?? 0) + 1);
    return {
      id: deriveId(id, 'chat'),
      sessionId: sessionId || deriveId(visitor ? call.operation : id, 'session'),
      messageId: deriveId(call.operation, 'answer'),
      message: `${state.parts.join('')}\n\nSources:\n[1] Page - https://example.org/\n[2] Question`,
      sources: SOURCES,
      confidence: Confidence.LOW,
    };
  }

  const handlers = service(AssistantsService, {
    async createChatbot({ title, allowedDomains, answers, appearance }, call) {
      const { operation: id, account } = call;
      const row = chatbots.add({ id, account, publicId: publicId(id), title, allowedDomains });
      answer(row, answers);
      appear(row, appearance);
      return { chatbot: row };
    },
    getChatbot: async ({ id }, call) => ({ chatbot: chatbot(call.account, id) }),
    listChatbots: async (_, call) => ({ chatbots: chatbots.of(call.account) }),
    async updateChatbot({ id, title, allowedDomains, answers, appearance }, call) {
      const row = chatbot(call.account, id);
      if (title !== undefined) row.title = title;
      if (allowedDomains) row.allowedDomains = allowedDomains.values;
      answer(row, answers);
      appear(row, appearance);
      return { chatbot: row };
    },
    async createIdentitySecret({ chatbotId }, call) {
      return { secret: deriveId(chatbot(call.account, chatbotId).id, call.operation) };
    },
    async verifyVisitor({ chatbotId, signature }, call) {
      chatbot(call.account, chatbotId);
      return { verified: signature === state.signature };
    },
    async getPublicChatbot({ publicId }, call) {
      call.requireCaller('gateway');
      const found = chatbots.rows.find((row) => row.publicId === publicId);
      if (!found) throw notFound('There is no such chatbot.');
      const form = forms.rows.find(({ id }) => id === found.appearance?.ticketFormId);
      return { accountId: found.account, chatbot: found, ticketFormPublicId: form?.publicId ?? '' };
    },
    async getPublicTicketForm({ publicId }, call) {
      call.requireCaller('gateway');
      const found = forms.rows.find((row) => row.publicId === publicId);
      if (!found) throw notFound('There is no such ticket form.');
      return { accountId: found.account, ticketForm: found };
    },
    async openTicket(request, call) {
      if (state.refusesTickets) throw state.refusesTickets;
      state.opened.push(request);
      return {
        ticketId: deriveId(call.operation, 'thread'),
        attachmentsFolder: request.attachmentsFolder,
      };
    },
    stopNotices: async () => ({}),
    deleteChatbot: async ({ id }, call) => ({ chatbot: remove(chatbots, chatbot(call.account, id)) }),
    async createTicketForm({ title, allowedDomains, fields }, call) {
      const { operation: id, account } = call;
      const row = { id, account, publicId: publicId(id), title, allowedDomains, fields: withIds(fields) };
      return { ticketForm: forms.add(row) };
    },
    getTicketForm: async ({ id }, call) => ({ ticketForm: form(call.account, id) }),
    listTicketForms: async (_, call) => ({ ticketForms: forms.of(call.account) }),
    async updateTicketForm({ id, title, allowedDomains, fields, answers }, call) {
      const row = form(call.account, id);
      if (title !== undefined) row.title = title;
      if (allowedDomains) row.allowedDomains = allowedDomains.values;
      if (fields) row.fields = withIds(fields.values);
      answer(row, answers);
      return { ticketForm: row };
    },
    deleteTicketForm: async ({ id }, call) => ({ ticketForm: remove(forms, form(call.account, id)) }),
    async createEmailInbox({ alias, title, description }, call) {
      checkAlias(alias);
      return { emailInbox: inboxes.add({ id: call.operation, account: call.account, alias, title, description }) };
    },
    getEmailInbox: async ({ id }, call) => ({ emailInbox: inbox(call.account, id) }),
    listEmailInboxes: async (_, call) => ({ emailInboxes: inboxes.of(call.account) }),
    async updateEmailInbox({ id, alias, title, descriptionChange, answers }, call) {
      const row = inbox(call.account, id);
      if (alias !== undefined && alias !== row.alias) checkAlias(alias);
      row.alias = alias ?? row.alias;
      row.title = title ?? row.title;
      if (descriptionChange.case === 'description') row.description = descriptionChange.value;
      if (descriptionChange.case === 'clearDescription') row.description = undefined;
      answer(row, answers);
      return { emailInbox: row };
    },
    deleteEmailInbox: async ({ id }, call) => ({ emailInbox: remove(inboxes, inbox(call.account, id)) }),
    assistantExists: () => Promise.reject(permissionDenied('Not for the gateway.')),
    resolveAssistant: () => Promise.reject(permissionDenied('Only the operator may do this.')),
    getUsage: async () => ({
      items: [
        { name: 'model_tokens', used: 90n, limit: 100n, window: Window.DAY, spentAt: at },
        { name: 'model_tokens', used: 190n, window: Window.MONTH },
      ],
    }),
    deleteAccountData: () => Promise.reject(permissionDenied('Only the operator may do this.')),
    async attachKnowledge({ kind, assistantId, knowledgeId }, call) {
      const { id } = find(kind, call.account, assistantId);
      attached.set(id, [knowledgeId, ...(attached.get(id) ?? [])]);
      return {};
    },
    async detachKnowledge({ kind, assistantId, knowledgeId }, call) {
      const { id } = find(kind, call.account, assistantId);
      if (!attached.get(id)?.includes(knowledgeId)) throw notFound('This knowledge item is not attached.');
      return {};
    },
    async listAttachedKnowledge(request, call) {
      const { id } = find(request.kind, call.account, request.assistantId);
      const items = (attached.get(id) ?? []).map((id) => ({
        id,
        type: KnowledgeType.FAQ,
        details: { case: 'faq', value: { title: 'F' } } as const,
      }));
      return pageOf(items, request);
    },
    reply,
    async *streamReply({ reply: request }, call) {
      const done = await reply(request!, call);
      for (const [i, text] of state.parts.entries()) {
        await state.beforePart(i);
        const marks = SOURCES.filter(({ n }) => text.includes(`[${n}]`));
        for (const { n } of marks) yield { event: { case: 'sources', value: { sources: SOURCES.slice(0, n) } } };
        yield { event: { case: 'text', value: text } };
      }
      yield { event: { case: 'done', value: done } };
    },
  });
  return { state, handlers };
}
