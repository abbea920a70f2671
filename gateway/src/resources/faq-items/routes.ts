import { z } from 'zod';
import { uuid } from '../../fields/ids.ts';
import { optional, requiredText, webAddress } from '../../fields/text.ts';
import { list, route } from '../../route.ts';
import { READS_KNOWLEDGE, WRITES_KNOWLEDGE } from '../../scopes.ts';
import {
  createdFaqItem,
  createdFaqItemJson,
  deletedFaqItem,
  deletedFaqItemJson,
  listedFaqItem,
  listedFaqItemJson,
} from './json.ts';

const params = z.object({ id: uuid });

export const createFaqItem = route({
  method: 'POST',
  path: '/knowledge/:id/faq-item',
  summary: 'Add a question and its answer to an FAQ',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  description: 'It is found once the FAQ has been trained again, which embeds only what was added.',
  params,
  body: z
    .object({
      question: requiredText(1_000),
      answer: requiredText(50_000),
      source_url: optional(webAddress),
      categories: optional(z.array(requiredText(64))).meta({ description: 'At most 20 different names.' }),
    })
    .meta({
      examples: [{ question: 'When are you open?', answer: 'From nine to five.', categories: ['Opening hours'] }],
    }),
  response: createdFaqItem,
  call: ({ params, body: { source_url, ...body } }, { knowledge }) =>
    knowledge.createFaqItem({ knowledgeId: params.id, ...body, sourceUrl: source_url }),
  toJson: ({ item }) => createdFaqItemJson(item!),
});

export const listFaqItems = list({
  path: '/knowledge/:id/faq-items',
  summary: 'List the questions of an FAQ, newest first',
  scope: 'any key',
  restricted: READS_KNOWLEDGE,
  params,
  item: listedFaqItem,
  toJson: listedFaqItemJson,
  call: ({ params, page }, { knowledge }) => knowledge.listFaqItems({ knowledgeId: params.id, ...page }),
});

export const deleteFaqItem = route({
  method: 'DELETE',
  path: '/knowledge/:id/faq-item/:faq_item_id',
  summary: 'Delete a question of an FAQ',
  scope: 'any key',
  restricted: WRITES_KNOWLEDGE,
  description: 'It is no longer found once the FAQ has been trained again, which embeds nothing.',
  params: params.extend({ faq_item_id: uuid }),
  response: deletedFaqItem,
  call: ({ params }, { knowledge }) => knowledge.deleteFaqItem({ knowledgeId: params.id, id: params.faq_item_id }),
  toJson: ({ item }) => deletedFaqItemJson(item!),
});
