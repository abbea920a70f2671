import type { WebsiteSettings } from '@parley/corpus';
import type { KnowledgeService, UpdateKnowledgeItemRequest } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { requireType } from '../domain/type.ts';
import { pathPatterns, retrainEvery } from '../domain/website-settings.ts';
import { itemMessage } from './messages.ts';
import { updateVideo, videoChanges } from './update-video.ts';

export const updateKnowledgeItem =
  (
    dependencies: Pick<Dependencies, 'corpus' | 'objects' | 'transcripts'>,
  ): Rpc<typeof KnowledgeService.method.updateKnowledgeItem> =>
  async ({ id, ...changes }, call) => {
    const { items } = dependencies.corpus;
    const website = websiteSettings(changes);
    const video = videoChanges(changes);
    const item = await items.get(call.account, id);
    if (Object.keys(video).length > 0) requireType(item, 'video');
    if (item.type !== 'video' || Object.keys(website).length > 0) {
      requireType(item, 'website');
      return { item: itemMessage(await items.update(call.account, id, website)) };
    }
    await updateVideo(dependencies, call, id, video);
    return { item: itemMessage(await items.get(call.account, id)) };
  };

type Changes = Pick<UpdateKnowledgeItemRequest, 'include' | 'exclude' | 'retrainEveryChange'>;

/** Returns the settings that are present. @throws AppError `invalid_argument` */
function websiteSettings({ include, exclude, retrainEveryChange }: Changes): WebsiteSettings {
  return {
    ...(include && { include: pathPatterns('include', include.values) }),
    ...(exclude && { exclude: pathPatterns('exclude', exclude.values) }),
    ...(retrainEveryChange.case === 'retrainEvery' && { retrain_every: retrainEvery(retrainEveryChange.value) }),
    ...(retrainEveryChange.case === 'clearRetrainEvery' && { retrain_every: null }),
  };
}
