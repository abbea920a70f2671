import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { quotaUsage, type Rpc, tokenUsage } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

export const getUsage =
  ({ corpus, tokens }: Pick<Dependencies, 'corpus' | 'tokens'>): Rpc<typeof KnowledgeService.method.getUsage> =>
  async (_, { account }) => ({
    items: [...(await quotaUsage(corpus.usage, account)), ...(await tokenUsage('embedding_tokens', tokens, account))],
  });
