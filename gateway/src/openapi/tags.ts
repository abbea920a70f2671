import { describedPath, type Route } from '../route.ts';

interface Tag {
  name: string;
  description: string;
  /** Matches the paths of its routes. A route gets the first tag that matches. */
  paths: RegExp;
}

/** The groups of operations, in the order in which they are shown. */
const TAGS: Tag[] = [
  {
    name: 'Knowledge',
    description:
      'What assistants answer from: websites, videos, documents and FAQs. An item answers once it is trained.',
    paths: /^\/knowledge\b/,
  },
  {
    name: 'Chats',
    description: 'The conversations of a chatbot.',
    paths: /^\/chatbot\/:id\/chats\b/,
  },
  {
    name: 'Chatbots',
    description: 'Assistants that answer at once, from the knowledge that is attached to them.',
    paths: /^\/chatbots?\b/,
  },
  {
    name: 'Tickets',
    description: 'What people sent through a ticket form, and the conversation that followed.',
    paths: /^\/ticket-form\/:id\/tickets\b/,
  },
  {
    name: 'Ticket forms',
    description: 'Forms through which people ask for help.',
    paths: /^\/ticket-forms?\b/,
  },
  {
    name: 'Emails',
    description: 'What people sent to an email inbox, and the conversation that followed.',
    paths: /^\/email-inbox\/:id\/emails\b/,
  },
  {
    name: 'Email inboxes',
    description: 'Addresses to which people write.',
    paths: /^\/email-inbox(es)?\b/,
  },
  {
    name: 'Personas',
    description: 'Names and images under which the account replies to tickets.',
    paths: /^\/personas?\b/,
  },
  {
    name: 'Account',
    description: 'The account, what it uses, and the API keys that act for it.',
    paths: /^\/(me|usage|api-keys?)\b/,
  },
  {
    name: 'Events',
    description: 'What happens in the account, to read and to be told of.',
    paths: /^\/(events|webhooks?)\b/,
  },
  {
    name: 'Visitors',
    description: 'For browsers, without an API key: what the pages that may show a chatbot do for their visitors.',
    paths: /^\/public\//,
  },
];

/** Throws for a path that no tag matches. */
export function tagOf(route: Pick<Route, 'access' | 'path'>): string {
  const path = describedPath(route);
  const tag = TAGS.find(({ paths }) => paths.test(path));
  if (!tag) throw new Error(`${path} has no tag: add its resource to tags.ts.`);
  return tag.name;
}

/** The tags that these routes have. */
export function tagsOf(routes: readonly Route[]): Omit<Tag, 'paths'>[] {
  const used = new Set(routes.map(tagOf));
  return TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
