import type { NamedRoute, Route } from '../route.ts';
import * as apiKeys from './api-keys/routes.ts';
import * as embedding from './chatbots/embedding.ts';
import * as chatbots from './chatbots/routes.ts';
import * as chats from './chats/routes.ts';
import * as documents from './documents/routes.ts';
import * as emailInboxes from './email-inboxes/routes.ts';
import * as emails from './emails/routes.ts';
import * as events from './events/routes.ts';
import * as faqItems from './faq-items/routes.ts';
import * as knowledge from './knowledge/routes.ts';
import * as me from './me/routes.ts';
import * as personas from './personas/routes.ts';
import * as publicForms from './public-forms/routes.ts';
import * as ticketForms from './ticket-forms/routes.ts';
import * as tickets from './tickets/routes.ts';
import * as usage from './usage/routes.ts';
import * as videos from './videos/routes.ts';
import * as visitors from './visitors/routes.ts';
import * as webhooks from './webhooks/routes.ts';

type RouteFile = Record<string, Route>;

/** All exports of route files, by name. */
const named = (files: RouteFile[]): NamedRoute[] =>
  files.flatMap((file) => Object.entries(file).map(([name, route]) => ({ ...route, name })));

/** Every route of `/v1`. */
export const routes: readonly NamedRoute[] = named([
  knowledge,
  videos,
  documents,
  faqItems,
  chatbots,
  embedding,
  chats,
  ticketForms,
  tickets,
  emailInboxes,
  emails,
  me,
  personas,
  apiKeys,
  usage,
  events,
  webhooks,
]);

/** Every route of `/public/v1`. */
export const publicRoutes: readonly NamedRoute[] = named([visitors, publicForms]);

/** The routes that the API description lists. */
export const describedRoutes: readonly NamedRoute[] = [...routes, ...publicRoutes];
