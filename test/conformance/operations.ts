import { randomUUID } from 'node:crypto';

/** The names of ids in paths and bodies; `populated.ts` creates a resource for each. */
export const ID_NAMES = [
  'faq',
  'website',
  'video',
  'document',
  'faqItem',
  'chatbot',
  'chat',
  'form',
  'ticket',
  'inbox',
  'email',
  'persona',
  'apiKey',
  'webhook',
  'delivery',
] as const;
export type IdName = (typeof ID_NAMES)[number];
export type Ids = Record<IdName, string>;

export const SCOPES = [
  'TICKETFORMS_WRITE',
  'TICKETS_WRITE',
  'EMAILINBOXES_WRITE',
  'EMAILS_WRITE',
  'CHATBOTS_WRITE',
  'API_KEYS_WRITE',
  'ACCOUNT_WRITE',
] as const;
export type Scope = (typeof SCOPES)[number];

/** One row of the contract's tables of endpoints, or an extension. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` is an id. */
  path: string;
  /** The scope that the key needs; absent if any key will do. */
  scope?: Scope;
  /** Creates a valid body. */
  body?: () => Record<string, unknown>;
  /** The fields of the body that take an id, and of what. */
  bodyIds?: Record<string, IdName | 'session'>;
  /** Returns one page of a list. */
  paginated?: true;
  /** Not in the contract; marked as an extension in the OpenAPI description. */
  extension?: true;
  /** Streams a file instead of JSON. */
  file?: true;
  /** Needs what a fresh resource lacks, such as a draft: otherwise it is refused. */
  missing?: true;
}

const extension = true;
const paginated = true;
const missing = true;

/** Short, unique, and a valid alias. */
export const unique = (): string => `t${randomUUID().replaceAll('-', '').slice(0, 20)}`;

const KNOWLEDGE: Operation[] = [
  { method: 'GET', path: '/knowledge', paginated },
  { method: 'GET', path: '/knowledge/{faq}' },
  { method: 'GET', path: '/knowledge/{website}/sub-pages', paginated },
  { method: 'GET', path: '/knowledge/{faq}/faq-items', paginated },
  { method: 'POST', path: '/knowledge/website', body: () => ({ website_url: 'https://example.com/' }) },
  {
    method: 'POST',
    path: '/knowledge/video',
    body: () => ({ video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', video_type: 'YOUTUBE' }),
  },
  { method: 'POST', path: '/knowledge/document', body: () => ({ file_type: 'text/plain' }) },
  { method: 'POST', path: '/knowledge/{document}/finalize' },
  { method: 'GET', path: '/knowledge/{document}/finalize' },
  { method: 'POST', path: '/knowledge/faq', body: () => ({ title: 'Questions' }) },
  {
    method: 'POST',
    path: '/knowledge/{faq}/faq-item',
    body: () => ({ question: 'Why?', answer: 'Therefore.' }),
  },
  { method: 'DELETE', path: '/knowledge/{faq}' },
  { method: 'DELETE', path: '/knowledge/{faq}/faq-item/{faqItem}' },
  { method: 'PUT', path: '/knowledge/{faq}/train' },
  { method: 'PATCH', path: '/knowledge/{website}', body: () => ({ include: ['/docs/*'] }), extension },
  { method: 'GET', path: '/knowledge/{faq}/sources', paginated, extension },
  { method: 'GET', path: '/knowledge/{document}/file', extension, file: true },
];

const attached = (assistant: string): Operation[] => {
  const path = `${assistant}/knowledge`;
  const body = () => ({ knowledge_id: randomUUID() });
  const bodyIds = { knowledge_id: 'faq' } as const;
  return [
    { method: 'GET', path, paginated },
    { method: 'PUT', path, body, bodyIds },
    { method: 'DELETE', path, body, bodyIds },
  ];
};

const CHATBOTS: Operation[] = [
  { method: 'GET', path: '/chatbots' },
  { method: 'GET', path: '/chatbot/{chatbot}' },
  {
    method: 'POST',
    path: '/chatbot/{chatbot}/reply',
    body: () => ({ message: 'Hello?' }),
    bodyIds: { session_id: 'session' },
  },
  ...attached('/chatbot/{chatbot}'),
  { method: 'GET', path: '/chatbot/{chatbot}/chats', paginated },
  { method: 'GET', path: '/chatbot/{chatbot}/chats/{chat}' },
  { method: 'PUT', path: '/chatbot/{chatbot}/chats/{chat}/block', scope: 'CHATBOTS_WRITE' },
  { method: 'DELETE', path: '/chatbot/{chatbot}/chats/{chat}/block', scope: 'CHATBOTS_WRITE', extension },
  { method: 'GET', path: '/chatbot/{chatbot}/chats/{chat}/evidence', paginated, extension },
  {
    method: 'POST',
    path: '/chatbots',
    scope: 'CHATBOTS_WRITE',
    body: () => ({ title: 'Help' }),
    bodyIds: { ticket_form_id: 'form' },
    extension,
  },
  {
    method: 'PATCH',
    path: '/chatbot/{chatbot}',
    scope: 'CHATBOTS_WRITE',
    body: () => ({ title: 'Help' }),
    bodyIds: { ticket_form_id: 'form' },
    extension,
  },
  { method: 'DELETE', path: '/chatbot/{chatbot}', scope: 'CHATBOTS_WRITE', extension },
  { method: 'GET', path: '/chatbot/{chatbot}/embed', extension },
  { method: 'POST', path: '/chatbot/{chatbot}/identity-secret', scope: 'CHATBOTS_WRITE', extension },
];

/** Tickets and emails have the same operations; only the ticket's reply takes a persona. */
const threads = (path: string, assistant: Scope, thread: Scope, bodyIds: Operation['bodyIds']): Operation[] => [
  { method: 'GET', path: path.replace(/\/\{\w+\}$/, ''), paginated },
  { method: 'GET', path },
  { method: 'PUT', path: `${path}/block`, scope: assistant },
  { method: 'DELETE', path: `${path}/block`, scope: assistant, extension },
  { method: 'PUT', path, scope: thread, body: () => ({ status: 'assigned' }) },
  {
    method: 'POST',
    path: `${path}/reply`,
    scope: thread,
    body: () => ({ message: 'Hello.' }),
    ...(bodyIds && { bodyIds }),
  },
  { method: 'GET', path: `${path}/history`, paginated, extension },
  { method: 'GET', path: `${path}/evidence`, paginated, extension },
  { method: 'GET', path: `${path}/draft`, scope: thread, extension, missing },
  { method: 'PUT', path: `${path}/draft`, scope: thread, body: () => ({ message: 'Hello.' }), extension, missing },
  { method: 'DELETE', path: `${path}/draft`, scope: thread, extension },
  { method: 'POST', path: `${path}/draft/send`, scope: thread, extension, missing },
  { method: 'PUT', path: `${path}/ai`, scope: thread, body: () => ({ on: true }), extension },
  { method: 'GET', path: `${path}/raw`, extension, file: true, ...(bodyIds && { missing }) },
  {
    method: 'GET',
    path: `${path}/attachments/${path.slice(path.lastIndexOf('/') + 1)}`,
    extension,
    file: true,
    missing,
  },
];

const TICKET_FORMS: Operation[] = [
  { method: 'GET', path: '/ticket-forms' },
  { method: 'GET', path: '/ticket-form/{form}' },
  ...attached('/ticket-form/{form}'),
  ...threads('/ticket-form/{form}/tickets/{ticket}', 'TICKETFORMS_WRITE', 'TICKETS_WRITE', { persona_id: 'persona' }),
  { method: 'DELETE', path: '/ticket-form/{form}/tickets/{ticket}/link', scope: 'TICKETS_WRITE', extension },
  { method: 'POST', path: '/ticket-forms', scope: 'TICKETFORMS_WRITE', body: () => ({ title: 'Help' }), extension },
  {
    method: 'PATCH',
    path: '/ticket-form/{form}',
    scope: 'TICKETFORMS_WRITE',
    body: () => ({ title: 'Help' }),
    extension,
  },
  { method: 'DELETE', path: '/ticket-form/{form}', scope: 'TICKETFORMS_WRITE', extension },
];

const EMAIL_INBOXES: Operation[] = [
  { method: 'GET', path: '/email-inboxes' },
  { method: 'GET', path: '/email-inbox/{inbox}' },
  ...attached('/email-inbox/{inbox}'),
  ...threads('/email-inbox/{inbox}/emails/{email}', 'EMAILINBOXES_WRITE', 'EMAILS_WRITE', undefined),
  {
    method: 'POST',
    path: '/email-inboxes',
    scope: 'EMAILINBOXES_WRITE',
    body: () => ({ alias: unique(), title: 'Help' }),
    extension,
  },
  {
    method: 'PATCH',
    path: '/email-inbox/{inbox}',
    scope: 'EMAILINBOXES_WRITE',
    body: () => ({ title: 'Help' }),
    extension,
  },
  { method: 'DELETE', path: '/email-inbox/{inbox}', scope: 'EMAILINBOXES_WRITE', extension },
];

const ACCOUNT: Operation[] = [
  { method: 'GET', path: '/me', extension },
  { method: 'GET', path: '/usage', scope: 'ACCOUNT_WRITE', extension },
  { method: 'GET', path: '/events', scope: 'ACCOUNT_WRITE', paginated, extension },
  { method: 'GET', path: '/api-keys', scope: 'API_KEYS_WRITE', paginated, extension },
  { method: 'POST', path: '/api-keys', scope: 'API_KEYS_WRITE', body: () => ({ name: 'CI', scopes: [] }), extension },
  { method: 'DELETE', path: '/api-key/{apiKey}', scope: 'API_KEYS_WRITE', extension },
  { method: 'GET', path: '/personas', scope: 'ACCOUNT_WRITE', paginated, extension },
  { method: 'POST', path: '/personas', scope: 'ACCOUNT_WRITE', body: () => ({ name: 'Ada' }), extension },
  { method: 'DELETE', path: '/persona/{persona}', scope: 'ACCOUNT_WRITE', extension },
];

/** Nobody listens at the address, and nothing of the kind happens here. */
export const HOOK = { url: 'http://localhost:9/hook', events: ['mail.failed'] };

const WEBHOOKS: Operation[] = (
  [
    { method: 'GET', path: '/webhooks', paginated },
    { method: 'POST', path: '/webhooks', body: () => HOOK },
    { method: 'PATCH', path: '/webhook/{webhook}', body: () => ({ enabled: false }) },
    { method: 'DELETE', path: '/webhook/{webhook}' },
    { method: 'POST', path: '/webhook/{webhook}/secret' },
    { method: 'POST', path: '/webhook/{webhook}/test' },
    {
      method: 'POST',
      path: '/webhook/{webhook}/redeliver',
      body: () => ({ since: '2026-01-01' }),
      missing,
    },
    { method: 'GET', path: '/webhook/{webhook}/deliveries', paginated },
    { method: 'POST', path: '/webhook/{webhook}/deliveries/{delivery}/redeliver', missing },
  ] satisfies Operation[]
).map((operation) => ({ ...operation, scope: 'ACCOUNT_WRITE', extension }));

/** Every operation, transcribed from the contract and its extensions and never derived from the code. */
export const OPERATIONS: Operation[] = [
  ...KNOWLEDGE,
  ...CHATBOTS,
  ...TICKET_FORMS,
  ...EMAIL_INBOXES,
  ...ACCOUNT,
  ...WEBHOOKS,
];

/** An operation for browsers, without a key. */
export interface VisitorOperation extends Pick<Operation, 'method' | 'path' | 'body'> {
  /** True if it needs the token of a visitor, or takes one. */
  token?: 'needed' | 'taken';
}

/** The names of ids in the paths of these. */
type VisitorId = 'publicId' | 'message' | 'publicForm' | 'ticketToken';

const PUBLIC = '/public/v1/chatbots/{publicId}';

/** Every operation for browsers, transcribed likewise. All of them are extensions. */
export const VISITOR_OPERATIONS: VisitorOperation[] = [
  { method: 'GET', path: PUBLIC },
  { method: 'POST', path: `${PUBLIC}/reply`, body: () => ({ message: 'Hello?' }), token: 'taken' },
  { method: 'GET', path: `${PUBLIC}/conversations/mine`, token: 'needed' },
  { method: 'POST', path: `${PUBLIC}/messages/{message}/vote`, body: () => ({ vote: 'up' }), token: 'needed' },
  { method: 'POST', path: `${PUBLIC}/identify`, body: () => ({ name: 'Ann' }), token: 'taken' },
];

const FORM = '/public/v1/ticket-forms/{publicForm}';
const OWN_TICKET = '/public/v1/tickets/{ticketToken}';

/** The same for ticket forms. */
export const FORM_OPERATIONS: VisitorOperation[] = [
  { method: 'GET', path: FORM },
  { method: 'POST', path: `${FORM}/tickets`, body: () => ({ email: 'ann@example.com', answers: [] }) },
  { method: 'GET', path: OWN_TICKET },
  { method: 'POST', path: `${OWN_TICKET}/messages`, body: () => ({ message: 'And?' }) },
];

export const isForVisitors = (path: string): boolean => path.startsWith('/public/');

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The ids that a path needs, in order: parents first. */
export const idsOf = (path: string): IdName[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as IdName);

export const fill = (path: string, ids: Partial<Record<IdName | VisitorId, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name as IdName]!));

/** Paths that differ only in the names of their ids are the same route. */
export const shapeOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');

/** Every path, once for each shape. */
export const PATHS: string[] = [...new Map(OPERATIONS.map(({ path }) => [shapeOf(path), path])).values()];

/** The methods of a path, from all operations of that shape. */
export const methodsOf = (path: string): string[] => [
  ...new Set(OPERATIONS.filter((row) => shapeOf(row.path) === shapeOf(path)).map(({ method }) => method as string)),
];
