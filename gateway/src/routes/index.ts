import type { NamedRoute, Route } from '../route.ts';
import * as apiKeys from './api-keys.ts';
import * as chatbots from './chatbots.ts';
import * as chats from './chats.ts';
import * as documents from './documents.ts';
import * as emailInboxes from './email-inboxes.ts';
import * as emails from './emails.ts';
import * as faqItems from './faq-items.ts';
import * as knowledge from './knowledge.ts';
import * as me from './me.ts';
import * as personas from './personas.ts';
import * as ticketForms from './ticket-forms.ts';
import * as tickets from './tickets.ts';
import * as videos from './videos.ts';

/** Every route of `/v1`: all exports of the route files, by name. */
export const routes: readonly NamedRoute[] = [
  knowledge,
  videos,
  documents,
  faqItems,
  chatbots,
  chats,
  ticketForms,
  tickets,
  emailInboxes,
  emails,
  me,
  personas,
  apiKeys,
].flatMap((file) => Object.entries<Route>(file).map(([name, route]) => ({ ...route, name })));
