import { buildPrefix, type Corpus, type SubPageDoc, type TrainingJob } from '@parley/corpus';
import { type ObjectStore, readObject } from '@parley/runtime/objects';
import { deriveId } from '@parley/runtime/rpc';
import type { Reader } from '../reading/readers.ts';
import { ReadingFailed } from '../reading/reading-failed.ts';
import type { LoadedPage } from '../website/page.ts';

export type KeptPage = NonNullable<SubPageDoc['content']>;

/** Of the code that turns a page into text. A change that makes it read more or better increments it. */
export const EXTRACTION = 3;

/** Limit for a raw page and for its text: above what the crawler accepts. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface KeptPages {
  /** The page as the newest earlier build has it, if its objects still exist. */
  earlier(pageUrl: string): Promise<KeptPage | undefined>;
  /** Stores a loaded page in this job's build. */
  keep(page: LoadedPage): Promise<KeptPage>;
  /**
   * Copies a page from an earlier build to this job's build, and returns its text and size; undefined if it is gone. If
   * another version read its text, its stored bytes are read again.
   */
  keepAgain(
    page: { pageUrl: string; url: string },
    reader: Reader,
    signal: AbortSignal,
  ): Promise<{ content: KeptPage; text: string; bytes: number } | undefined>;
}

/** The stored pages of a website: each build has its own copy of raw bytes and text in the object store. */
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
    keep: ({ pageUrl, raw, text, ...page }) => put(pageUrl, contentOf(page), raw, text),
    async keepAgain({ pageUrl, url }, reader, signal) {
      const content = await earlier(pageUrl);
      const raw = content && (await readObject(objects, content.raw_key, MAX_BYTES, signal));
      if (!raw) return undefined;
      if (isOutdated(content)) {
        const again = await readAgain(content, raw, url, reader, signal);
        return again && { ...again, content: await put(pageUrl, again.content, raw, again.text), bytes: raw.length };
      }
      const text = (await readObject(objects, content.text_key, MAX_BYTES, signal))?.toString();
      if (text === undefined) return undefined;
      return { content: await put(pageUrl, content, raw, text), text, bytes: raw.length };
    },
  };
}

export const isOutdated = ({ extraction }: KeptPage): boolean => extraction !== EXTRACTION;

function contentOf(page: Omit<LoadedPage, 'pageUrl' | 'raw' | 'text'>): Omit<KeptPage, 'raw_key' | 'text_key'> {
  const { title, contentHash: hash, contentType: content_type, links, etag, lastModified, language, kept } = page;
  return {
    hash,
    title,
    links: [...links],
    ...(etag && { etag }),
    ...(lastModified && { last_modified: lastModified }),
    ...(language && { language }),
    extraction: EXTRACTION,
    content_type,
    kept,
  };
}

/** Undefined if the text can't be read from the stored bytes. */
async function readAgain(content: KeptPage, body: Buffer, url: string, reader: Reader, signal: AbortSignal) {
  const { content_type: contentType, language: contentLanguage } = content;
  try {
    const { origin } = new URL(url);
    const input = { body, contentType, contentLanguage, url, origin };
    const { title, text, language, kept } = await reader.read('page', input, signal);
    if (!text) return undefined;
    const fields = { title: title || content.title, ...(language && { language }), kept, extraction: EXTRACTION };
    return { content: { ...content, ...fields }, text };
  } catch (error) {
    if (error instanceof ReadingFailed) return undefined;
    throw error;
  }
}
