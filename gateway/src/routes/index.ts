import type { Route } from '../route.ts';
import * as apiKeys from './api-keys.ts';
import * as chatbots from './chatbots.ts';
import * as chats from './chats.ts';
import * as faqItems from './faq-items.ts';
import * as knowledge from './knowledge.ts';
import * as me from './me.ts';

/** Every route of `/v1`: whatever a file of routes exports is one. */
export const routes: readonly Route[] = [knowledge, faqItems, chatbots, chats, me, apiKeys].flatMap((file) =>
  Object.values<Route>(file),
);
