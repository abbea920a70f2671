import type { Account } from '../../e2e/account.ts';
import { must } from '../../e2e/api.ts';
import type { FaqItem } from '../../e2e/resources.ts';

/** A request that clients send; rejects if it fails. */
export type Request = () => Promise<unknown>;

/** Shared state of the clients of one account. */
export interface Shop {
  account: Account;
  faq: { id: string };
  chatbot: { id: string };
}

/** Creates a chatbot that can answer. */
export async function openShop(account: Account): Promise<Shop> {
  const faq = await account.faq('Hours', { 'When is the shop open?': 'The shop is open from nine to five.' });
  await account.train(faq);
  return { account, faq, chatbot: await account.chatbot(faq) };
}

/**
 * The requests that one client repeats, which involve every service. Later requests remove what earlier ones add, so that
 * a fast machine does not reach an account's limits.
 */
export async function requestsOf({ account: { api, chatbot: create }, faq, chatbot }: Shop): Promise<Request[]> {
  const own = await create();
  const attached = { knowledge_id: faq.id };
  let item: FaqItem;
  return [
    () => api.get('/knowledge').then(must),
    () => api.put(`/chatbot/${own.id}/knowledge`, attached).then(must),
    () => api.get(`/chatbot/${chatbot.id}`).then(must),
    () => api.post(`/chatbot/${chatbot.id}/reply`, { message: 'When is the shop open?' }).then(must),
    async () => {
      item = must(await api.post<FaqItem>(`/knowledge/${faq.id}/faq-item`, { question: 'On Sunday?', answer: 'No.' }));
    },
    () => api.del(`/chatbot/${own.id}/knowledge`, attached).then(must),
    () => api.del(`/knowledge/${faq.id}/faq-item/${item.id}`).then(must),
  ];
}
