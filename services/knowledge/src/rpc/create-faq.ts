import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime';
import { boundedText, requiredText } from '../domain/text.ts';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 2_000;

export const createFaq =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.createFaq> =>
  async ({ title, description }, call) => {
    const faq = {
      title: requiredText('title', title, MAX_TITLE),
      description: description === undefined ? null : boundedText('description', description, MAX_DESCRIPTION),
    };
    return { item: itemMessage(await corpus.items.create(call.account, call.operation, { type: 'faq', faq })) };
  };
