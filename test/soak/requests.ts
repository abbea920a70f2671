/** Kinds of requests, as reports tell them apart. */
export const KINDS = ['list', 'read', 'write', 'delete', 'reply', 'upload', 'open', 'training'] as const;

/** `open`: a ticket or an email is opened, by RPC; `training`: from asking for a training until it is done. */
export type Kind = (typeof KINDS)[number];

/** Nouns in the plural that end the path of a list; `knowledge` alone or of an assistant is one, too. */
const LISTS =
  /\/(knowledge|chatbots|ticket-forms|email-inboxes|api-keys|personas|chats|tickets|emails|faq-items|sub-pages|sources|evidence|history)$/;

/** The kind of a request of the REST API. */
export function kindOf(method: string, path: string): Kind {
  if (method === 'DELETE') return 'delete';
  if (method === 'GET') return LISTS.test(path) ? 'list' : 'read';
  if (/^\/v1\/chatbot\/[^/]+\/reply$/.test(path)) return 'reply';
  return path.endsWith('/upload') ? 'upload' : 'write';
}
