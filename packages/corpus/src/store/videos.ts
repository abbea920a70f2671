import { aborted, resourceExhausted } from '@parley/runtime';
import { compute, LIVE, literal, outbox, refuse, set } from '@parley/runtime/mongo';
import type { Document, Filter } from 'mongodb';
import { type KnowledgeItemDoc, MAX_TRANSCRIPT_BYTES, type VideoSettings } from '../model.ts';
import { transcriptKey } from '../object-keys.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';
import { beginFile, endFile, filesDue, mayComplete, mayRecord, record, setFile } from './strays.ts';

const FILE = 'video.transcript';

export type VideoStore = ReturnType<typeof videoStore>;

/** The settings of videos. An uploaded transcript is a file: see `strays.ts`. */
export function videoStore({ items }: Collections) {
  /** Returns the video as it was; null if it is not there, or not as `also` says. */
  function update(account: string, id: string, also: Filter<KnowledgeItemDoc>, stages: Document[]) {
    const mine = { _id: id, account, ...LIVE, type: 'video' as const };
    return items.unlisted.findOneAndUpdate({ ...mine, ...also }, [...stages, filesDue]);
  }

  return {
    /**
     * Records the object of a transcript before its first byte, and returns its key. Idempotent by upload.
     *
     * @throws AppError `resource_exhausted` for too many in a short time, `permission_denied` if the account has no room for it.
     */
    async begin(account: string, id: string, upload: string): Promise<string> {
      const key = transcriptKey(account, id, upload);
      const isThere = async () => {
        const found = await items.findOne({ _id: id, account, ...LIVE, type: 'video' });
        const video = (found as KnowledgeItemDoc<'video'> | null) ?? (await refuse(items, { _id: id }, KNOWLEDGE_ITEM));
        return video.video.transcript?.key === key || !!video.strays?.some((each) => each.key === key);
      };
      const recorded = () => update(account, id, mayRecord(FILE, key), [record(key, MAX_TRANSCRIPT_BYTES)]);
      if (await beginFile(items, account, MAX_TRANSCRIPT_BYTES, recorded, isThere)) return key;
      if (await isThere()) return key;
      throw resourceExhausted('Too many transcripts of this video were uploaded in a short time. Try again in a day.');
    },

    /**
     * Changes the given settings of a video. They take effect with the next training; one in progress may still read the
     * transcript that is replaced.
     *
     * @throws AppError `aborted` if the upload of the transcript began too long ago.
     */
    async update(account: string, id: string, settings: VideoSettings): Promise<void> {
      const { transcript } = settings;
      const write = () => update(account, id, transcript ? mayComplete(transcript.key) : {}, changed(settings));
      if (transcript ? await endFile(items, account, transcript, write) : await write()) return;
      const found = await items.findOne({ _id: id, account, ...LIVE, type: 'video' });
      if (!found) return refuse(items, { _id: id }, KNOWLEDGE_ITEM);
      throw aborted('Storing the transcript took too long. Send it again.');
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
    ...outbox({ case: 'knowledgeItemChanged', value: {} }, { when: { $or: isNew } }),
    compute({ content_version: { $add: ['$content_version', { $cond: [{ $or: isNew }, 1, 0] }] } }),
    ...(title === undefined ? [] : [set({ 'video.title': title })]),
    ...(language === undefined ? [] : [set({ 'video.language': language })]),
    ...(transcript === undefined ? [] : setFile(FILE, transcript)),
  ];
}
