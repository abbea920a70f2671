/**
 * Every route of the contract that stands, written down by hand from the contract's tables and never from the code.
 * `{name}` is an id: of what, `world.ts` beside this file says.
 */
export interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The scope that the key needs; absent: any key will do. */
  scope?: string;
  /** A body that is valid in form. */
  body?: Record<string, unknown>;
  /** Answers a page of a list. */
  paginated?: true;
  /** Not in the contract: an addition, marked as such in the OpenAPI description. */
  extension?: true;
}

const UNKNOWN = '01890a5d-ac96-474b-8cce-b302099a8057';

export const ROUTES: RouteRow[] = [
  { method: 'GET', path: '/knowledge', paginated: true },
  { method: 'GET', path: '/knowledge/{faq}' },
  { method: 'GET', path: '/knowledge/{website}/sub-pages', paginated: true },
  { method: 'GET', path: '/knowledge/{faq}/faq-items', paginated: true },
  { method: 'POST', path: '/knowledge/website', body: { website_url: 'https://example.com/' } },
  { method: 'POST', path: '/knowledge/faq', body: { title: 'Questions' } },
  { method: 'POST', path: '/knowledge/{faq}/faq-item', body: { question: 'Why?', answer: 'Therefore.' } },
  { method: 'DELETE', path: '/knowledge/{faq}' },
  { method: 'DELETE', path: '/knowledge/{faq}/faq-item/{faqItem}' },
  { method: 'PUT', path: '/knowledge/{faq}/train' },

  { method: 'GET', path: '/chatbots' },
  { method: 'POST', path: '/chatbots', scope: 'CHATBOTS_WRITE', body: { title: 'Help' }, extension: true },
  { method: 'GET', path: '/chatbot/{chatbot}' },
  { method: 'POST', path: '/chatbot/{chatbot}/reply', body: { message: 'Hello?' } },
  { method: 'GET', path: '/chatbot/{chatbot}/knowledge', paginated: true },
  { method: 'PUT', path: '/chatbot/{chatbot}/knowledge', body: { knowledge_id: UNKNOWN } },
  { method: 'DELETE', path: '/chatbot/{chatbot}/knowledge', body: { knowledge_id: UNKNOWN } },
  { method: 'GET', path: '/chatbot/{chatbot}/chats', paginated: true },
  { method: 'GET', path: '/chatbot/{chatbot}/chats/{chat}' },

  { method: 'GET', path: '/me', extension: true },
  { method: 'GET', path: '/api-keys', scope: 'API_KEYS_WRITE', paginated: true, extension: true },
  { method: 'POST', path: '/api-keys', scope: 'API_KEYS_WRITE', body: { name: 'CI', scopes: [] }, extension: true },
  { method: 'DELETE', path: '/api-key/{apiKey}', scope: 'API_KEYS_WRITE', extension: true },
];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The ids that a path needs, in their order: parents first. */
export const idsOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

export const fill = (path: string, ids: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!));
