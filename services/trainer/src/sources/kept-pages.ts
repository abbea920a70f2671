import { buildPrefix, type Corpus, type SubPageDoc, type TrainingJob } from '@parley/corpus';
import { deriveId, type ObjectStore, readObject } from '@parley/runtime';
import type { LoadedPage } from '../website/page.ts';

export type KeptPage = NonNullable<SubPageDoc['content']>;

/** Of a raw page, and of its text: more than the crawler takes. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface KeptPages {
  /** What the newest of the item's earlier builds has of a page, where it is still whole. */
  earlier(pageUrl: string): Promise<KeptPage | undefined>;
  /** Keeps a page that was loaded, in this job's build. */
  keep(page: LoadedPage): Promise<KeptPage>;
  /** Keeps in this job's build what an earlier one has, and gives its text. Undefined: it is gone. */
  keepAgain(pageUrl: string, signal: AbortSignal): Promise<{ content: KeptPage; text: string } | undefined>;
}

/** The pages of a website as its builds keep them: raw bytes and text in the object store, each build for itself. */
export async function openKeptPages(corpus: Corpus, objects: ObjectStore, job: TrainingJob): Promise<KeptPages> {
  const builds = (await corpus.builds.earlier(job)).map(({ _id }) => _id);

  async function earlier(pageUrl: string) {
    for (const { content } of await corpus.subPages.recorded(job.account, builds, pageUrl))
      if (content && (await objects.stat(content.text_key)) && (await objects.stat(content.raw_key))) return content;
    return undefined;
  }

  async function put(pageUrl: string, content: Omit<KeptPage, 'raw_key' | 'text_key'>, raw: Buffer, text: string) {
    const key = `${buildPrefix(job.account, job.item, job.fence)}pages/${deriveId(pageUrl)}`;
    const kept = { ...content, raw_key: `${key}.raw`, text_key: `${key}.txt` };
    await objects.put(kept.raw_key, raw);
    await objects.put(kept.text_key, Buffer.from(text), { contentType: 'text/plain; charset=utf-8' });
    return kept;
  }

  return {
    earlier,
    keep: ({ pageUrl, title, text, raw, contentHash: hash, links, etag, lastModified }) =>
      put(
        pageUrl,
        { hash, title, links: [...links], ...(etag && { etag }), ...(lastModified && { last_modified: lastModified }) },
        raw,
        text,
      ),
    async keepAgain(pageUrl, signal) {
      const content = await earlier(pageUrl);
      const raw = content && (await readObject(objects, content.raw_key, MAX_BYTES, signal));
      const text = content && (await readObject(objects, content.text_key, MAX_BYTES, signal))?.toString();
      if (!raw || text === undefined) return undefined;
      return { content: await put(pageUrl, content, raw, text), text };
    },
  };
}
