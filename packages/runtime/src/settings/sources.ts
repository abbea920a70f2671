import { flag, integer, text } from './setting.ts';

/** How websites and videos are read. */
export const WEB = {
  CRAWL_ALLOW: text(
    'private addresses that may be crawled: CIDRs and `host:port` pairs, comma-separated; with `@` and the id of an account, such as `wiki:8080@5f0c6d1e-…`, by that account only',
    {
      shown: 'empty',
    },
  ),
  OUTBOUND_DENY: text(
    'addresses and ports that websites and videos are never read from, and webhooks never sent to, even if `CRAWL_ALLOW` or `OUTBOUND_ALLOW` lists them: CIDRs and ports, comma-separated. The metadata and platform addresses of the large clouds always are among them',
    { shown: 'empty' },
  ),
  CRAWL_MAX_PAGES: integer('pages read of a website in one training; `training_notes` says if there are more', {
    fallback: 500,
    min: 1,
    max: 100_000,
  }),
  CRAWL_MAX_DEPTH: integer('links between the start of a website and a page that is read', {
    fallback: 10,
    max: 1_000,
  }),
  CRAWL_MAX_MINUTES: integer('how long a website is read in one training', { fallback: 30, min: 1, max: 24 * 60 }),
  CRAWL_MAX_MIB: integer('MiB read of a website in one training', { fallback: 500, min: 1, max: 100_000 }),
  CRAWL_CONCURRENCY: integer('requests to one website at once', { fallback: 4, min: 1, max: 16 }),
  CRAWL_DELAY_MS: integer(
    'milliseconds between the starts of requests to one website; a `Crawl-delay` in its robots.txt makes it longer, up to 10 seconds',
    { fallback: 100, max: 60_000 },
  ),
  YOUTUBE_PROXY_URL: text(
    'the HTTP proxy through which YouTube is asked for captions, as `http://user:password@host:port`: YouTube refuses many addresses of data centres',
  ),
  YOUTUBE_URL: text(
    'where YouTube is reached, if a server of yours stands in front of it; a private address also needs `CRAWL_ALLOW`',
    { shown: '`https://www.youtube.com`' },
  ),
};

/** How documents are read. */
export const DOCUMENTS = {
  DOCUMENT_MAX_PAGES: integer('pages read of one PDF; `training_notes` says what was left out', {
    fallback: 5_000,
    min: 1,
    max: 100_000,
  }),
  DOCUMENT_MAX_ROWS: integer('rows read of one CSV file', { fallback: 50_000, min: 1, max: 10_000_000 }),
  DOCUMENT_MAX_CHARACTERS: integer('characters read of one document', {
    fallback: 20_000_000,
    min: 1,
    max: 1_000_000_000,
  }),
  DOCUMENT_MEMORY_MIB: integer(
    'JavaScript heap of the process that reads a document, in MiB; it may use 160 MiB more besides. Beyond that, the training fails and says so',
    { fallback: 192, min: 64, max: 4_096 },
  ),
  DOCUMENT_PAGE_SECONDS: integer('how long one page or part of a document may take', {
    fallback: 30,
    min: 1,
    max: 3_600,
  }),
  DOCUMENT_OCR: text(
    "text recognition of the scanned pages of documents (not of PDFs on websites): the languages to expect, up to four of Tesseract's codes, the usual one first: `eng+deu`. English and German are installed; each other is a package of npm, such as `@tesseract.js-data/fra`, which you add to `node_modules` (in a cluster, in an image made from the trainer's). Nothing is downloaded. A page takes a few seconds of a processor, with a second language twice as long; images in JPEG 2000 or of more than 40 million pixels are left out",
    { shown: 'none: off' },
  ),
  DOCUMENT_OCR_MAX_PAGES: integer(
    'scanned pages that are recognised in one document; the process that reads it may use 256 MiB more',
    { fallback: 200, min: 1, max: 100_000 },
  ),
  DOCUMENT_OCR_PAGE_SECONDS: integer('how long the recognition of one page may take', {
    fallback: 60,
    min: 1,
    max: 3_600,
  }),
};

/** Limits on trainings and searches. */
export const TRAINING = {
  TRAINING_MAX_PAGE_CHUNKS: integer(
    'chunks of text (about 800 characters) of one page that are searched; `training_notes` says what was left out',
    { fallback: 5_000, min: 1, max: 10_000_000 },
  ),
  TRAINING_MAX_ITEM_CHUNKS: integer('the same for a knowledge item', { fallback: 20_000, min: 1, max: 10_000_000 }),
  TRAINING_MAX_ACCOUNT_CHUNKS: integer('the same for all knowledge of an account', {
    fallback: 50_000,
    min: 1,
    max: 100_000_000,
  }),
  TRAINING_MAX_MINUTES: integer('how long one training may take; it then finishes with what it has', {
    fallback: 60,
    min: 1,
    max: 24 * 60,
  }),
  TRAINER_CONCURRENCY: integer(
    'trainings that one trainer runs at a time; from 2 on, no account can occupy all of them. Accounts take turns: a free place goes to the account with the fewest trainings running. A training whose trainer has died runs alone in its next one',
    { fallback: 2, min: 1, max: 16 },
  ),
  TRAINER_REEMBED: flag(
    'after a change of the embedding model, embed what is live again in the background; `false`: with the next training only',
    true,
  ),
  INDEX_DIR: text(
    'the directory where knowledge and the trainer keep local copies of what was trained; what is deleted there is fetched again',
    { shown: '`.parley/index`; of a process by itself `parley-index` in the directory of temporary files' },
  ),
  INDEX_DISK_MIB: integer(
    'disk for these copies, in MiB; a chunk takes 3 to 5 KB. A question that searches more than fits gets 503',
    { fallback: 4_096, min: 1, max: 100_000_000 },
  ),
  INDEX_MEMORY_MIB: integer(
    'memory for vectors, in MiB; 100,000 chunks take 37 with the local model, 147 with 1,536 numbers each. What does not fit is read from disk for each question',
    { fallback: 384, min: 1, max: 1_000_000 },
  ),
};
