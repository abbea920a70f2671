import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { failedPrecondition } from '@parley/runtime';
import { allowFor } from '@parley/runtime/outbound';
import type { Rpc } from '@parley/runtime/rpc';
import { boundedText } from '@parley/runtime/text';
import type { Dependencies } from '../dependencies.ts';
import { websiteAddress } from '../domain/address.ts';
import { checkIds } from '../domain/ids.ts';
import { itemTitle } from '../domain/title.ts';
import { itemMessage } from './messages.ts';

const MAX_DESCRIPTION = 2_000;

export const createWebsite =
  ({
    corpus,
    crawlAllow,
  }: Pick<Dependencies, 'corpus' | 'crawlAllow'>): Rpc<typeof KnowledgeService.method.createWebsite> =>
  async ({ websiteUrl }, call) => {
    const website = { base_url: websiteAddress('website_url', websiteUrl, allowFor(crawlAllow, call.account)) };
    return { item: itemMessage(await corpus.items.create(call.account, call.operation, { type: 'website', website })) };
  };

export const createFaq =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.createFaq> =>
  async ({ title, description }, call) => {
    const faq = {
      title: itemTitle(title),
      description: description === undefined ? null : boundedText('description', description, MAX_DESCRIPTION),
    };
    return { item: itemMessage(await corpus.items.create(call.account, call.operation, { type: 'faq', faq })) };
  };

export const getKnowledgeItem =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.getKnowledgeItem> =>
  async ({ id }, call) => ({ item: itemMessage(await corpus.items.get(call.account, id)) });

/** The items that the account has, without duplicates; others are left out. */
export const batchGetKnowledgeItems =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.batchGetKnowledgeItems> =>
  async ({ ids }, call) => {
    const items = await corpus.items.batch(call.account, checkIds('ids', ids));
    return { items: items.map(itemMessage) };
  };

export const listKnowledgeItems =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.listKnowledgeItems> =>
  async (request, call) => {
    const page = await corpus.items.page(call.account, request);
    return { ...page, items: page.items.map(itemMessage) };
  };

/** Returns the item as it was. A running training can no longer publish, and ends when it next renews its lease. */
export const deleteKnowledgeItem =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.deleteKnowledgeItem> =>
  async ({ id }, call) => ({ item: itemMessage(await corpus.items.delete(call.account, id, call.operation)) });

export const trainKnowledgeItem =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.trainKnowledgeItem> =>
  async ({ id }, call) => {
    const item = await corpus.items.get(call.account, id);
    if (item.type === 'faq' && (await corpus.faqItems.isEmpty(call.account, id)))
      throw failedPrecondition('This FAQ has no items yet. Add one, then train it.');
    if (item.type === 'document' && !item.document.finalized_at)
      throw failedPrecondition(
        'This document has not been finalized yet. Upload its file and finalize it, then train it.',
      );
    return { item: itemMessage(await corpus.training.request(call.account, id, call.operation)) };
  };
