import { buildPrefix, type Corpus, type SubPageDoc, type TrainingJob } from '@parley/corpus';
import { type ObjectStore, readObject } from '@parley/runtime/objects';
import { deriveId } from '@parley/runtime/rpc';
import type { LoadedPage, Previous, UnchangedPage } from '../crawl/page.ts';

export type KeptPage = NonNullable<SubPageDoc['content']>;

/** Version of the code that turns a page into text. A change that makes it read more or better increments it. */
const EXTRACTION = 4;

/** Limit for a raw page and for its text: above what the crawler accepts. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface KeptPages {
  /** The page as an earlier build has it, if its objects still exist. */
  previous(pageUrl: string): Promise<Previous | undefined>;
  /** The pages that the live build has, as their `pageUrl`. */
  all(): AsyncIterable<string>;
  /** Stores a loaded page in this job's build. */
  keep(page: LoadedPage): Promise<KeptPage>;
  /**
   * Copies a page from an earlier build to this job's build, and returns its text and size; undefined if it is gone.
   *
   * @param page with its `previous` as this has returned it
   */
  keepAgain(
    page: Pick<UnchangedPage, 'pageUrl' | 'previous'>,
    signal: AbortSignal,
  ): Promise<{ content: KeptPage; text: string; bytes: number } | undefined>;
}

/** The stored pages of a website: each build has its own copy of raw bytes and text in the object store. */
export async function openKeptPages(
  corpus: Corpus,
  objects: ObjectStore,
  job: TrainingJob,
  signal: AbortSignal,
): Promise<KeptPages> {
  const live = job.document.live?.build;
  const earlier = (await corpus.builds.earlier(job)).map(({ _id }) => _id);
  // What the live build no longer had, an even earlier one may still have.
  const builds = live !== undefined && earlier.includes(live) ? earlier.slice(0, earlier.indexOf(live) + 1) : earlier;

  async function newest(pageUrl: string): Promise<KeptPage | undefined> {
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

  function previousOf(content: KeptPage): Previous {
    const { hash: contentHash, etag, last_modified: lastModified, links, content_type: contentType } = content;
    const validators = { ...(etag && { etag }), ...(lastModified && { lastModified }) };
    if (!isOutdated(content)) return { contentHash, links, ...validators };
    // Without its type, the bytes of a page can't be read again: it is downloaded.
    if (!contentType) return { contentHash, links, isOutdated: true };
    const { raw_key, language: contentLanguage } = content;
    const stored = async () => {
      const body = await readObject(objects, raw_key, MAX_BYTES, signal);
      return body && { body, contentType, contentLanguage };
    };
    return { contentHash, links, ...validators, isOutdated: true, stored };
  }

  /** Pages already found, so that each is looked up once. */
  const contents = new WeakMap<Previous, KeptPage>();

  return {
    async previous(pageUrl) {
      const content = await newest(pageUrl);
      if (!content) return undefined;
      const previous = previousOf(content);
      contents.set(previous, content);
      return previous;
    },
    all: () => (live === undefined ? NOTHING() : corpus.subPages.withContent(job.account, live)),
    keep: ({ pageUrl, raw, text, ...page }) => put(pageUrl, contentOf(page), raw, text),
    async keepAgain({ pageUrl, previous }, signal) {
      const content = contents.get(previous);
      const raw = content && (await readObject(objects, content.raw_key, MAX_BYTES, signal));
      const text = raw && (await readObject(objects, content.text_key, MAX_BYTES, signal))?.toString();
      if (!raw || text === undefined) return undefined;
      return { content: await put(pageUrl, content, raw, text), text, bytes: raw.length };
    },
  };
}

async function* NOTHING(): AsyncGenerator<string> {}

const isOutdated = ({ extraction }: KeptPage): boolean => extraction !== EXTRACTION;

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
