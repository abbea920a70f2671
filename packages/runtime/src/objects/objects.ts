import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { invalidArgument, resourceExhausted, unavailableDoNotRetry } from '../errors.ts';
import type { Component } from '../process.ts';

/**
 * Whole objects by key. An object appears only once its last byte is on disk: a put that fails, is aborted or dies leaves
 * the previous object in place. Keys are ours, never a user's: see `checkKey`. Prefixes are folders: see `checkFolder`.
 */
export interface ObjectStore extends Component {
  /**
   * Stores an object, replacing an older one. A stream is always read to its end or destroyed.
   *
   * @throws AppError `resource_exhausted` when the body has more than `maxBytes`; the signal's reason when it was aborted;
   * the stream's own error; AppError `unavailable` if the store is unavailable: the whole object may still appear later.
   */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<StoredObject>;

  /**
   * The object, or undefined if there is none. Callers must read the body to its end or destroy it; a body that nobody
   * reads for ten seconds may fail. A truncated body fails; it never just ends.
   */
  get(key: string, signal?: AbortSignal): Promise<OpenObject | undefined>;

  stat(key: string): Promise<ObjectStat | undefined>;

  /** Deletes an object. Idempotent. */
  delete(key: string): Promise<void>;

  /**
   * Deletes at most `limit` (1,000) objects below a folder and returns how many it found. Fewer than the limit: none are
   * left.
   */
  deletePrefix(folder: string, limit?: number): Promise<number>;

  /** The objects below a folder, in ascending byte order of keys. May miss concurrent changes. */
  list(folder: string): AsyncIterable<ListedObject>;

  ready(): Promise<void>;
}

export interface PutOptions {
  /** At most 200 printable ASCII characters; `application/octet-stream` by default. */
  contentType?: string;
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface StoredObject {
  /** Bytes of the body. */
  size: number;
  /** SHA-256 of the body, in hex. */
  sha256: string;
}

export interface ListedObject {
  key: string;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

export interface ObjectStat extends ListedObject {
  contentType: string;
}

export interface OpenObject extends ObjectStat {
  body: Readable;
}

export const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

const MAX_KEY = 900;
const MAX_SEGMENT = 200;
const folderShape = /^(?:[A-Za-z0-9_-]+\/)*$/;
const keyShape = /^(?:[A-Za-z0-9_-]+\/)*[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;
const contentTypeShape = /^[\x20-\x7e]{1,200}$/;

const short = (key: string) =>
  key.length <= MAX_KEY && key.split('/').every((segment) => segment.length <= MAX_SEGMENT);

/**
 * A key is folders and a file name: `pages/0198/index.html`. A file name has an extension; a folder has no dot. So a key
 * is never a folder of another key and can't escape with `..`, which stores that keep objects as files rely on.
 * At most 900 characters, 200 in each segment, of `A-Z a-z 0-9 _ -`.
 *
 * @throws AppError `invalid_argument`
 */
export function checkKey(key: string): void {
  if (!keyShape.test(key) || !short(key))
    throw invalidArgument(`${JSON.stringify(key)} can't be the key of an object.`);
}

/** A folder ends with `/`, as in `pages/0198/`; the empty one holds everything. @throws AppError `invalid_argument` */
export function checkFolder(folder: string): void {
  if (!folderShape.test(folder) || !short(folder))
    throw invalidArgument(`${JSON.stringify(folder)} can't be a folder.`);
}

/** @throws AppError `invalid_argument` */
export function checkContentType(contentType: string): void {
  if (!contentTypeShape.test(contentType))
    throw invalidArgument('A content type must have 1 to 200 printable ASCII characters.');
}

/** The error that callers of the store see. Already retried; clients must not retry automatically. */
export const storeAway = (cause: unknown) => unavailableDoNotRetry('The file store is unavailable. Try again.', cause);

export const tooLarge = (maxBytes: number) => resourceExhausted(`The file has more than ${maxBytes} bytes.`);

/**
 * The bytes of an object, or undefined if there is none.
 *
 * @throws AppError `resource_exhausted` if it has more than `maxBytes`.
 */
export async function readObject(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const found = await store.get(key, signal);
  if (!found) return undefined;
  if (found.size > maxBytes) {
    found.body.destroy();
    throw tooLarge(maxBytes);
  }
  return buffer(found.body);
}
