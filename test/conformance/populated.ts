import { randomUUID } from 'node:crypto';
import type { Account } from '../e2e/account.ts';
import { must } from '../e2e/api.ts';
import type { ApiKey, Chatbot, FaqItem, Page } from '../e2e/resources.ts';

/** One resource of every kind of an account, by the names that the paths of `routes.ts` use. */
export type Ids = Record<'faq' | 'website' | 'faqItem' | 'chatbot' | 'chat' | 'apiKey', string>;

export interface Populated {
  account: Account;
  ids: Ids;
  chatbot: Chatbot;
  session: string;
}

/** An account in which every kind of resource exists: a trained FAQ, an untrained website, a chatbot with a chat, a key. */
export async function populated(account: Account): Promise<Populated> {
  const { api } = account;
  const faq = await account.faq('Opening hours', {
    'When is the shop open?': 'The shop opens at nine in the morning.',
  });
  await account.train(faq);
  const website = await account.website('https://example.com/');
  const chatbot = await account.chatbot(faq);
  const { id: chat, session_id } = await account.ask(chatbot, 'When is the shop open?');
  const items = must(await api.get<Page<FaqItem>>(`/knowledge/${faq.id}/faq-items`)).items;
  const apiKey = must(await api.post<ApiKey>('/api-keys', { name: 'spare', scopes: [] }));
  return {
    account,
    ids: { faq: faq.id, website: website.id, faqItem: items[0]!.id, chatbot: chatbot.id, chat, apiKey: apiKey.id },
    chatbot,
    session: session_id,
  };
}

/** Well formed ids of nothing. */
export const unknownIds = (): Ids => ({
  faq: randomUUID(),
  website: randomUUID(),
  faqItem: randomUUID(),
  chatbot: randomUUID(),
  chat: randomUUID(),
  apiKey: randomUUID(),
});
