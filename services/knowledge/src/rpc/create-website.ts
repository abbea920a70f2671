import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { websiteAddress } from '../domain/address.ts';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

export const createWebsite =
  ({ corpus, crawlAllow }: Pick<Parts, 'corpus' | 'crawlAllow'>): Rpc<typeof KnowledgeService.method.createWebsite> =>
  async ({ websiteUrl }, call) => {
    const website = { base_url: websiteAddress('website_url', websiteUrl, crawlAllow) };
    return { item: itemMessage(await corpus.items.create(call.account, call.operation, { type: 'website', website })) };
  };
