import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import type { Log } from '../log.ts';
import {
  checkFolder,
  checkKey,
  DEFAULT_CONTENT_TYPE,
  type ListedObject,
  type ObjectStore,
  type OpenObject,
  type PutOptions,
  storeAway,
} from './objects.ts';
import { bucketIsThere, openBucket, removeLeftovers } from './s3-bucket.ts';
import { codeOf, connectS3, type S3, S3_TIMING, type S3Config, type S3Timing } from './s3-client.ts';
import { putS3Object } from './s3-put.ts';

const DELETE_LIMIT = 1_000;
/** Objects listed or deleted per request. */
const PAGE = 1_000;
const READY_MS = 1_500;

export interface S3StoreOptions extends S3Config {
  log: Log;
  timing?: S3Timing;
}

/** Objects in one bucket of a server that speaks S3, such as MinIO: for any number of machines. */
export function createS3Store({ log, timing = S3_TIMING, ...config }: S3StoreOptions): ObjectStore {
  const s3 = connectS3(config, timing);
  const { bucket } = s3;

  async function put(key: string, body: Uint8Array | Readable, options: PutOptions = {}) {
    try {
      checkKey(key);
      return await putS3Object(s3, key, body, options);
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  async function get(key: string, signal?: AbortSignal): Promise<OpenObject | undefined> {
    checkKey(key);
    signal?.throwIfAborted();
    const response = await unlessMissing(s3.ask((client) => client.getObject(bucket, key), signal));
    return response && openObject(key, response as IncomingMessage, signal);
  }

  async function stat(key: string) {
    checkKey(key);
    const found = await unlessMissing(s3.ask((client) => client.statObject(bucket, key)));
    if (!found) return undefined;
    const contentType: string = found.metaData['content-type'] ?? DEFAULT_CONTENT_TYPE;
    return { key, size: found.size, contentType, modifiedAt: found.lastModified };
  }

  async function remove(key: string) {
    checkKey(key);
    await unlessMissing(s3.ask((client) => client.removeObject(bucket, key)));
  }

  async function* list(folder: string): AsyncGenerator<ListedObject> {
    checkFolder(folder);
    for await (const page of pages(s3, folder)) yield* page;
  }

  async function deletePrefix(folder: string, limit = DELETE_LIMIT): Promise<number> {
    checkFolder(folder);
    let deleted = 0;
    for await (const page of pages(s3, folder, limit)) {
      await deleteAll(s3, page);
      deleted += page.length;
    }
    return deleted;
  }

  return {
    name: 'object store',
    async start(signal) {
      await openBucket(s3, config, log, signal);
      await removeLeftovers(s3, log, signal);
    },
    put,
    get,
    stat,
    delete: remove,
    deletePrefix,
    list,
    async ready() {
      const there = await bucketIsThere(s3, AbortSignal.timeout(READY_MS)).catch((error) => {
        throw new Error('The file store is unavailable', { cause: error });
      });
      if (!there) throw new Error('The bucket of the file store is missing');
    },
    stop: async () => s3.close(),
  };
}

/** Servers differ in the code for a missing object. */
const MISSING = new Set(['NoSuchKey', 'NotFound']);

const unlessMissing = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error) => {
    if (MISSING.has(codeOf(error) ?? '')) return undefined;
    throw error;
  });

function openObject(key: string, response: IncomingMessage, signal: AbortSignal | undefined): OpenObject {
  const { 'content-length': length, 'content-type': contentType, 'last-modified': modified } = response.headers;
  const size = Number(length);
  return {
    key,
    size,
    contentType: contentType ?? DEFAULT_CONTENT_TYPE,
    modifiedAt: new Date(modified ?? 0),
    body: bodyOf(response, size, signal),
  };
}

/** A truncated response can look complete, so count its bytes. */
/** Unlike Node's `addAbortSignal`, with the signal's own reason. */
function destroyWhenAborted(body: Readable, signal: AbortSignal): void {
  const abort = () => body.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  body.once('close', () => signal.removeEventListener('abort', abort));
  if (signal.aborted) abort();
}

function bodyOf(response: IncomingMessage, size: number, signal: AbortSignal | undefined): Readable {
  let received = 0;
  const body = new Transform({
    transform(chunk, _encoding, done) {
      received += chunk.length;
      done(null, chunk);
    },
    flush: (done) => done(received === size ? null : new Error(`${received} of ${size} bytes`)),
    destroy: (error, done) => done(error && (signal?.aborted ? signal.reason : storeAway(error))),
  });
  // The request's signal covers only its headers.
  if (signal) destroyWhenAborted(body, signal);
  return pipeline(response, body, () => {}); // Failures reach the reader of the body.
}

/** The first objects of a folder, in ascending order of keys. */
async function* pages(s3: S3, folder: string, limit = Number.POSITIVE_INFINITY): AsyncGenerator<ListedObject[]> {
  let after = '';
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(PAGE, left);
    const found = await s3.ask((client) => client.listObjectsV2Query(s3.bucket, folder, '', '', wanted, after));
    const page = found.objects.flatMap(({ name, size, lastModified }) =>
      name === undefined ? [] : [{ key: name, size, modifiedAt: lastModified }],
    );
    if (page.length > 0) yield page;
    if (!found.isTruncated || page.length === 0) return;
    after = page.at(-1)!.key;
    left -= page.length;
  }
}

async function deleteAll(s3: S3, objects: ListedObject[]): Promise<void> {
  const keys = objects.map(({ key }) => key);
  // The declared type nests them one level too deep.
  const failures = (await s3.ask((client) => client.removeObjects(s3.bucket, keys))) as { Code?: string }[];
  const failure = failures.find(({ Code }) => !MISSING.has(Code ?? ''));
  if (failure) throw storeAway(new Error(`A file could not be deleted: ${failure.Code}`));
}
