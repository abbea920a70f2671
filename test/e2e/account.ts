import { until } from '@parley/runtime/testing';
import {
  type Chatbot,
  createParley,
  type KnowledgeIdentity,
  type KnowledgeItem,
  type Parley,
  type Reply,
} from '../../clients/typescript/src/index.ts';
import type { Api } from './api.ts';

type Identified = { id: string };

/** An account and what its owner does with it, through the API only. */
export interface Account {
  /** For requests as they are sent, and refusals as they come. */
  api: Api;
  /** The client that users of the API have. */
  parley: Parley;
  key: string;
  website(url: string): Promise<KnowledgeIdentity>;
  /** Creates an FAQ from question and answer pairs, untrained. */
  faq(title: string, items?: Record<string, string>): Promise<KnowledgeIdentity>;
  /** Starts a training and waits for it to finish or fail. */
  train(item: Identified): Promise<KnowledgeItem>;
  /** Waits until no training is running, and returns the item. */
  settled(item: Identified): Promise<KnowledgeItem>;
  /** Creates a chatbot that answers from these items. */
  chatbot(...knowledge: Identified[]): Promise<Chatbot>;
  ask(chatbot: Identified, message: string, session?: string): Promise<Reply>;
}

/** By default the client repeats no request, so that tests see every failure. */
export function createAccount(api: Api, key: string, retries = 0): Account {
  const parley = createParley({ baseUrl: api.baseUrl, apiKey: key, retries });
  const settled = async ({ id }: Identified) =>
    until(
      () => parley.get('/knowledge/{id}', { path: { id } }),
      (item) => !item.is_training,
    );
  return {
    api,
    parley,
    key,
    settled,
    website: (website_url) => parley.post('/knowledge/website', { body: { website_url } }),
    async faq(title, items = {}) {
      const faq = await parley.post('/knowledge/faq', { body: { title } });
      for (const [question, answer] of Object.entries(items))
        await parley.post('/knowledge/{id}/faq-item', { path: { id: faq.id }, body: { question, answer } });
      return faq;
    },
    async train({ id }) {
      await parley.put('/knowledge/{id}/train', { path: { id } });
      return settled({ id });
    },
    async chatbot(...knowledge) {
      const chatbot = await parley.post('/chatbots', { body: { title: 'Help' } });
      const path = { id: chatbot.id };
      for (const { id } of knowledge) await parley.put('/chatbot/{id}/knowledge', { path, body: { knowledge_id: id } });
      return chatbot;
    },
    ask: ({ id }, message, session_id) =>
      parley.post('/chatbot/{id}/reply', { path: { id }, body: { message, ...(session_id && { session_id }) } }),
  };
}
