import type { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { youtubeVideoId } from '../domain/youtube.ts';
import { itemMessage } from './messages.ts';

/** The link is kept as sent. */
export const createVideo =
  ({ corpus }: Pick<Dependencies, 'corpus'>): Rpc<typeof KnowledgeService.method.createVideo> =>
  async ({ videoUrl }, call) => {
    const video = { video_id: youtubeVideoId('video_url', videoUrl), video_url: videoUrl };
    return { item: itemMessage(await corpus.items.create(call.account, call.operation, { type: 'video', video })) };
  };
