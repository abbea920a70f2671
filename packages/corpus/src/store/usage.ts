import { type Amounts, LIVE, type Limit, type Quota, quotaStore } from '@parley/runtime/mongo';
import type { Db } from 'mongodb';
import type { KnowledgeItemDoc, LiveBuild } from '../model.ts';
import { rawCollections } from './collections.ts';
import type { Resource } from './resource.ts';

/** The most that an account may have of each. */
export type KnowledgeLimits = Record<Resource, number>;

export const UNLIMITED: KnowledgeLimits = {
  items: Infinity,
  faq_items: Infinity,
  files: Infinity,
  bytes: Infinity,
  chunks: Infinity,
  index_bytes: Infinity,
};

const NAMES: Record<Resource, Omit<Limit, 'most'>> = {
  items: { what: 'knowledge items', setting: 'QUOTA_ITEMS' },
  faq_items: { what: 'questions in FAQs', setting: 'QUOTA_FAQ_ITEMS' },
  files: { what: 'files', setting: 'QUOTA_FILES' },
  bytes: { what: 'bytes of files', setting: 'QUOTA_FILES_MIB' },
  chunks: { what: 'chunks', setting: 'TRAINING_MAX_ACCOUNT_CHUNKS' },
  index_bytes: { what: 'bytes of search indexes', setting: 'QUOTA_INDEX_MIB' },
};

export type Usage = Quota<Resource>;

/** Counts what accounts have in the corpus. Files are those of documents and videos, whether or not an item still names them. */
export function usageStore(db: Db, limits: KnowledgeLimits): Usage {
  const { items, faqItems } = rawCollections(db);
  const limitOf = (name: Resource): Limit => ({ ...NAMES[name], most: limits[name] });
  const all = {
    items: limitOf('items'),
    faq_items: limitOf('faq_items'),
    files: limitOf('files'),
    bytes: limitOf('bytes'),
    chunks: limitOf('chunks'),
    index_bytes: limitOf('index_bytes'),
  };

  /** Whatever is counted here is counted by each write, too: see `ownOf`. */
  async function count(account: string): Promise<Record<Resource, number>> {
    const [sums] = await items
      .aggregate<Omit<Record<Resource, number>, 'faq_items'>>([
        { $match: { account, ...LIVE } },
        {
          $group: {
            _id: null,
            items: { $sum: 1 },
            files: { $sum: { $size: FILES } },
            bytes: { $sum: { $sum: { $map: { input: FILES, in: '$$this.bytes' } } } },
            chunks: { $sum: { $ifNull: ['$live.chunks', 0] } },
            index_bytes: { $sum: { $ifNull: ['$live.file.bytes', 0] } },
          },
        },
      ])
      .toArray();
    const { files = 0, bytes = 0, chunks = 0, index_bytes = 0, items: itemCount = 0 } = sums ?? {};
    const faq_items = await faqItems.countDocuments({ account, ...LIVE });
    return { items: itemCount, faq_items, files, bytes, chunks, index_bytes };
  }

  return quotaStore(db, all, count);
}

/** Expression: the files of an item. */
const FILES = {
  $concatArrays: [
    { $ifNull: ['$strays', []] },
    {
      $filter: {
        input: [{ $ifNull: ['$document.upload', null] }, { $ifNull: ['$video.transcript', null] }],
        cond: { $ne: ['$$this', null] },
      },
    },
  ],
};

/** Returns what the account has because of an item, without the questions of an FAQ. */
export function ownOf(item: KnowledgeItemDoc): Amounts<Resource> {
  const upload = item.type === 'document' ? item.document.upload : item.type === 'video' ? item.video.transcript : null;
  const files = [...(item.strays ?? []), ...(upload ? [upload] : [])];
  return {
    items: 1,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...indexOf(item.live),
  };
}

/** Returns what a live build counts as. */
export const indexOf = (live: Pick<LiveBuild, 'chunks' | 'file'> | null) => ({
  chunks: live?.chunks ?? 0,
  index_bytes: live?.file.bytes ?? 0,
});

/** The same, less. */
export const less = (amounts: Amounts<Resource>): Amounts<Resource> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, -amount]));
