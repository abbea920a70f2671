import { until } from '@parley/runtime/testing';
import { type Api, must } from './api.ts';
import type { Chatbot, KnowledgeItem, Reply } from './resources.ts';

type Identified = { id: string };

/** An account and what its owner does with it, through the API alone. */
export interface Account {
  api: Api;
  key: string;
  website(url: string): Promise<KnowledgeItem>;
  /** An FAQ of question and answer pairs, not trained. */
  faq(title: string, items?: Record<string, string>): Promise<KnowledgeItem>;
  /** Begins a training and waits for its end, good or bad. */
  train(item: Identified): Promise<KnowledgeItem>;
  /** The item as it is once no training runs. */
  settled(item: Identified): Promise<KnowledgeItem>;
  /** A chatbot that answers from these items. */
  chatbot(...knowledge: Identified[]): Promise<Chatbot>;
  ask(chatbot: Identified, message: string, session?: string): Promise<Reply>;
}

export function createAccount(api: Api, key: string): Account {
  const settled = async ({ id }: Identified) =>
    until(
      async () => must(await api.get<KnowledgeItem>(`/knowledge/${id}`)),
      (item) => !item.is_training,
    );
  return {
    api,
    key,
    settled,
    website: async (url) => must(await api.post<KnowledgeItem>('/knowledge/website', { website_url: url })),
    async faq(title, items = {}) {
      const faq = must(await api.post<KnowledgeItem>('/knowledge/faq', { title }));
      for (const [question, answer] of Object.entries(items))
        must(await api.post(`/knowledge/${faq.id}/faq-item`, { question, answer }));
      return faq;
    },
    async train(item) {
      must(await api.put(`/knowledge/${item.id}/train`));
      return settled(item);
    },
    async chatbot(...knowledge) {
      const chatbot = must(await api.post<Chatbot>('/chatbots', { title: 'Help' }));
      for (const { id } of knowledge) must(await api.put(`/chatbot/${chatbot.id}/knowledge`, { knowledge_id: id }));
      return chatbot;
    },
    ask: async ({ id }, message, session) =>
      must(await api.post<Reply>(`/chatbot/${id}/reply`, { message, ...(session && { session_id: session }) })),
  };
}
