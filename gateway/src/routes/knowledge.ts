import { z } from 'zod';
import { uuid } from '../fields/ids.ts';
import { optional, requiredText, text, webAddress } from '../fields/text.ts';
import { list, route } from '../route.ts';
import {
  knowledgeIdentity,
  knowledgeIdentityJson,
  knowledgeItem,
  knowledgeItemJson,
  subPage,
  subPageJson,
} from './knowledge-json.ts';

const params = z.object({ id: uuid });

export const createWebsite = route({
  method: 'POST',
  path: '/knowledge/website',
  summary: 'Create a knowledge item of a website',
  body: z.object({ website_url: webAddress }),
  response: knowledgeIdentity,
  call: async ({ body }, { knowledge }) => {
    const { item } = await knowledge.createWebsite({ websiteUrl: body.website_url });
    return knowledgeIdentityJson(item!);
  },
});

export const createFaq = route({
  method: 'POST',
  path: '/knowledge/faq',
  summary: 'Create a knowledge item of questions and answers',
  body: z.object({ title: requiredText(200), description: optional(text(2_000)) }),
  response: knowledgeIdentity,
  call: async ({ body }, { knowledge }) => {
    const { item } = await knowledge.createFaq(body);
    return knowledgeIdentityJson(item!);
  },
});

export const listKnowledge = list({
  path: '/knowledge',
  summary: 'List the knowledge items, newest first',
  item: knowledgeItem,
  toJson: knowledgeItemJson,
  call: ({ page }, { knowledge }) => knowledge.listKnowledgeItems(page),
});

export const getKnowledge = route({
  method: 'GET',
  path: '/knowledge/:id',
  summary: 'Read a knowledge item',
  params,
  response: knowledgeItem,
  call: async ({ params }, { knowledge }) => {
    const { item } = await knowledge.getKnowledgeItem(params);
    return knowledgeItemJson(item!);
  },
});

export const deleteKnowledge = route({
  method: 'DELETE',
  path: '/knowledge/:id',
  summary: 'Delete a knowledge item',
  params,
  response: knowledgeIdentity,
  call: async ({ params }, { knowledge }) => {
    const { item } = await knowledge.deleteKnowledgeItem(params);
    return knowledgeIdentityJson(item!);
  },
});

export const trainKnowledge = route({
  method: 'PUT',
  path: '/knowledge/:id/train',
  summary: 'Start the training of a knowledge item',
  params,
  response: knowledgeItem,
  call: async ({ params }, { knowledge }) => {
    const { item } = await knowledge.trainKnowledgeItem(params);
    return knowledgeItemJson(item!);
  },
});

export const listSubPages = list({
  path: '/knowledge/:id/sub-pages',
  summary: 'List the pages of a website, by page_url',
  params,
  item: subPage,
  toJson: subPageJson,
  call: ({ params, page }, { knowledge }) => knowledge.listSubPages({ knowledgeId: params.id, ...page }),
});
