import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { createShares } from '@parley/runtime';
import type { ObjectStore, StoredObject } from '@parley/runtime/objects';
import type { Limits } from '../config.ts';
import { HttpError, tooManyInProgress } from './http-error.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** Receives files, each straight into the object store: none is ever held in memory as a whole. */
export interface Uploads {
  /** Throws 413 for a declared length that is too much, 429 or UNAVAILABLE if too many uploads are in progress. */
  open(request: IncomingMessage, account: string): IncomingFile;
  /** How many are in progress. */
  held(): number;
}

export interface IncomingFile {
  /**
   * Stores the file under this key, or nothing. Throws 413 for a file that is too large, 408 for a client that pauses or
   * takes too long, and what the object store throws.
   */
  store(key: string, maxBytes: number): Promise<StoredObject>;
  /** Must be called once the request is answered. Idempotent. */
  close(): void;
}

type UploadLimits = Pick<Limits, 'bodyMs' | 'uploadMs' | 'uploadsAtOnce'>;

export function createUploads(objects: Pick<ObjectStore, 'put'>, limits: UploadLimits): Uploads {
  const shares = createShares(limits.uploadsAtOnce, tooManyInProgress('uploads'));

  return {
    held: shares.held,
    open(request, account) {
      if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge(MAX_BYTES);
      const held = shares.begin(account);
      return {
        store: (key, maxBytes) => store(objects, key, request, { ...limits, maxBytes: Math.min(maxBytes, MAX_BYTES) }),
        close: () => held[Symbol.dispose](),
      };
    },
  };
}

const tooLarge = (maxBytes: number) =>
  new HttpError(413, `The file must have at most ${maxBytes.toLocaleString('en')} bytes.`);
const late = (sentence: string) => new HttpError(408, sentence, { Connection: 'close' });

async function store(
  objects: Pick<ObjectStore, 'put'>,
  key: string,
  request: IncomingMessage,
  limits: UploadLimits & { maxBytes: number },
): Promise<StoredObject> {
  const failed = new AbortController();
  const body = bodyOf(request, limits, (reason) => failed.abort(reason));
  try {
    return await objects.put(key, body, { signal: failed.signal });
  } finally {
    body.destroy();
  }
}

/**
 * The body of a request as a stream of its own: a store that fails destroys it, but the request must live on for the
 * answer. What is not stored is read and dropped, so that the client gets that answer instead of a broken connection; the
 * server limits how long that takes.
 */
function bodyOf(
  request: IncomingMessage,
  { maxBytes, bodyMs, uploadMs }: UploadLimits & { maxBytes: number },
  fail: (reason: HttpError) => void,
): Readable {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      silence.refresh();
      if (bytes <= maxBytes) return done(null, chunk);
      const reason = tooLarge(maxBytes);
      fail(reason);
      done(reason);
    },
  });
  const silence = setTimeout(() => {
    // The store is slow, not the client.
    if (body.writableNeedDrain) silence.refresh();
    else fail(late('The upload paused for too long.'));
  }, bodyMs);
  const end = setTimeout(() => fail(late('The upload took too long.')), uploadMs);
  const brokeOff = () => {
    if (!request.complete) fail(new HttpError(400, 'The upload broke off.'));
  };
  request.once('close', brokeOff).on('error', brokeOff);
  body.on('error', () => {}); // The store sees it too, unless it has failed before.
  body.once('close', () => {
    clearTimeout(silence);
    clearTimeout(end);
    request.off('close', brokeOff);
    request.unpipe(body);
    request.resume();
  });
  return request.pipe(body);
}
