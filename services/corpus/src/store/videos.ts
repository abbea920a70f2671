import { compute, LIVE, literal, refuse, set } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { KnowledgeItemDoc, VideoSettings } from '../model.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';

export type VideoStore = ReturnType<typeof videoStore>;

export function videoStore({ items }: Collections) {
  return {
    /**
     * Changes the given settings of a video, and returns the video as it was. They take effect with the next training.
     * The object of a transcript is stored before, and that of the one that it replaces deleted after.
     */
    async update(account: string, id: string, settings: VideoSettings): Promise<KnowledgeItemDoc<'video'>> {
      const mine = { _id: id, account, ...LIVE, type: 'video' as const };
      const before = await items.findOneAndUpdate(mine, changed(settings), { returnDocument: 'before' });
      return (before as KnowledgeItemDoc<'video'> | null) ?? refuse(items, { _id: id }, KNOWLEDGE_ITEM);
    },
  };
}

/** All are part of the content: a training asked for after they have changed is not one that is already running. */
function changed({ title, language, transcript }: VideoSettings): Document[] {
  const differs = (field: string, value: string | null) => ({ $ne: [{ $ifNull: [field, null] }, literal(value)] });
  const isNew = [
    ...(title === undefined ? [] : [differs('$video.title', title)]),
    ...(language === undefined ? [] : [differs('$video.language', language)]),
    ...(transcript === undefined ? [] : [differs('$video.transcript.sha256', transcript?.sha256 ?? null)]),
  ];
  return [
    compute({ content_version: { $add: ['$content_version', { $cond: [{ $or: isNew }, 1, 0] }] } }),
    ...(title === undefined ? [] : [set({ 'video.title': title })]),
    ...(language === undefined ? [] : [set({ 'video.language': language })]),
    ...(transcript === undefined ? [] : [set({ 'video.transcript': transcript })]),
  ];
}
