import type { WebsiteSettings } from '@parley/corpus';
import type { KnowledgeService, UpdateKnowledgeItemRequest } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import { requireType } from '../domain/type.ts';
import { pathPatterns, retrainEvery } from '../domain/website-settings.ts';
import type { Parts } from '../parts.ts';
import { itemMessage } from './messages.ts';

export const updateKnowledgeItem =
  ({ corpus }: Pick<Parts, 'corpus'>): Rpc<typeof KnowledgeService.method.updateKnowledgeItem> =>
  async ({ id, ...changes }, call) => {
    const settings = settingsOf(changes);
    requireType(await corpus.items.get(call.account, id), 'website');
    return { item: itemMessage(await corpus.items.update(call.account, id, settings)) };
  };

type Changes = Pick<UpdateKnowledgeItemRequest, 'include' | 'exclude' | 'retrainEveryChange'>;

/** The settings that are present. @throws AppError `invalid_argument` */
function settingsOf({ include, exclude, retrainEveryChange }: Changes): WebsiteSettings {
  return {
    ...(include && { include: pathPatterns('include', include.values) }),
    ...(exclude && { exclude: pathPatterns('exclude', exclude.values) }),
    ...(retrainEveryChange.case === 'retrainEvery' && { retrain_every: retrainEvery(retrainEveryChange.value) }),
    ...(retrainEveryChange.case === 'clearRetrainEvery' && { retrain_every: null }),
  };
}
