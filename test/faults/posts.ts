import {
  FORM_OPERATIONS,
  fill,
  type IdName,
  isForVisitors,
  OPERATIONS,
  VISITOR_OPERATIONS,
} from '../conformance/operations.ts';

/** Ids that the requests need. */
export interface Given {
  ids: Partial<Record<IdName, string>>;
  session: string;
  /** A visitor of the chatbot who has an answer. */
  visitor: { publicId: string; message: string; token: string };
  /** A form, and the token of a ticket of it. */
  form: { publicForm: string; ticketToken: string };
  /** A ticket and an email that have drafts. */
  drafted: { ticket: string; email: string };
}

/** How many documents are made, by collection. */
export type Made = Record<string, number>;

interface Row {
  path: string;
  /** Optional fields of the body. */
  more?(given: Given): Record<string, unknown>;
  /** Asks for a stream of events. */
  streams?: true;
  /** Is about a ticket or an email that has a draft. */
  isDrafted?: true;
  /** Is sent with the token of the visitor. */
  isKnown?: true;
  makes: Made;
}

const ITEM = { 'parley_corpus.knowledge_items': 1 };
const ASSISTANT = { 'parley_assistants.assistants': 1 };
const ENTRY = { 'parley_conversations.entries': 1 };
const ANSWERED = { 'parley_conversations.entries': 2, 'parley_conversations.evidence': 1 };

/** The chatbot knows the answer. */
export const QUESTION = 'When is the shop open?';

const askChatbot = '/chatbot/{chatbot}/reply';
const visit = '/public/v1/chatbots/{publicId}';
const askAsVisitor = `${visit}/reply`;
const form = '/public/v1/ticket-forms/{publicForm}';
const replyToTicket = '/ticket-form/{form}/tickets/{ticket}/reply';

/** Every POST, some in more than one way, with the documents that it makes if it is executed once. */
export const POSTS: Row[] = [
  { path: '/knowledge/website', makes: ITEM },
  { path: '/knowledge/video', makes: ITEM },
  { path: '/knowledge/document', makes: ITEM },
  { path: '/knowledge/{document}/finalize', makes: {} },
  { path: '/knowledge/faq', makes: ITEM },
  { path: '/knowledge/{faq}/faq-item', makes: { 'parley_corpus.faq_items': 1 } },
  { path: '/chatbots', makes: ASSISTANT },
  { path: askChatbot, makes: { ...ANSWERED, 'parley_conversations.threads': 1 } },
  { path: askChatbot, streams: true, makes: { ...ANSWERED, 'parley_conversations.threads': 1 } },
  { path: askChatbot, more: ({ session }) => ({ session_id: session, message: QUESTION }), makes: ANSWERED },
  { path: '/chatbot/{chatbot}/identity-secret', makes: {} },
  { path: askAsVisitor, makes: { ...ANSWERED, 'parley_conversations.threads': 1 } },
  { path: askAsVisitor, streams: true, isKnown: true, makes: ANSWERED },
  { path: `${visit}/messages/{message}/vote`, isKnown: true, makes: {} },
  { path: `${visit}/identify`, isKnown: true, makes: {} },
  { path: '/ticket-forms', makes: ASSISTANT },
  { path: replyToTicket, makes: ENTRY },
  { path: replyToTicket, more: ({ ids }) => ({ persona_id: ids.persona }), makes: ENTRY },
  { path: '/ticket-form/{form}/tickets/{ticket}/draft/send', isDrafted: true, makes: ENTRY },
  { path: '/email-inboxes', makes: { ...ASSISTANT, 'parley_assistants.aliases': 1 } },
  { path: '/email-inbox/{inbox}/emails/{email}/reply', makes: ENTRY },
  { path: '/email-inbox/{inbox}/emails/{email}/draft/send', isDrafted: true, makes: ENTRY },
  { path: `${form}/tickets`, makes: { ...ENTRY, 'parley_conversations.threads': 1 } },
  { path: '/public/v1/tickets/{ticketToken}/messages', makes: ENTRY },
  { path: '/personas', makes: { 'parley_auth.personas': 1 } },
  { path: '/api-keys', makes: { 'parley_auth.api_keys': 1 } },
  { path: '/webhooks', more: () => ({ enabled: false }), makes: { 'parley_events.webhooks': 1 } },
  { path: '/webhook/{webhook}/secret', makes: {} },
];

/** They send something to a receiver, which may get it twice, with the same id. */
export const DELIVERING = [
  '/webhook/{webhook}/test',
  '/webhook/{webhook}/redeliver',
  '/webhook/{webhook}/deliveries/{delivery}/redeliver',
];

/** A request that can be sent again unchanged. */
export interface Post {
  path: string;
  body: Record<string, unknown> | undefined;
  streams: boolean;
  /** The visitor's token; undefined for a request of an account. */
  visitor: { token: string | undefined } | undefined;
}

export const postsOn = (given: Given): Post[] =>
  POSTS.map(({ path, more, streams = false, isKnown, isDrafted }) => {
    const all = [...OPERATIONS, ...VISITOR_OPERATIONS, ...FORM_OPERATIONS];
    const operation = all.find((row) => row.method === 'POST' && row.path === path);
    if (!operation) throw new Error(`There is no POST ${path}.`);
    const body = operation.body && { ...operation.body(), ...more?.(given) };
    const { token, ...ids } = given.visitor;
    const visitor = isForVisitors(path) ? { token: isKnown && token } : undefined;
    const named = { ...given.ids, ...ids, ...given.form, ...(isDrafted && given.drafted) };
    return { path: fill(path, named), body, streams, visitor };
  });

/** Returns the effects of all of them together, each sent `times` times with different keys. */
export function madeBy(times: number): Made {
  const total: Made = {};
  for (const { makes } of POSTS)
    for (const [name, count] of Object.entries(makes)) total[name] = (total[name] ?? 0) + times * count;
  return total;
}
