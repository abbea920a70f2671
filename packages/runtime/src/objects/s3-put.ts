import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { checkContentType, DEFAULT_CONTENT_TYPE, type PutOptions, type StoredObject, tooLarge } from './objects.ts';
import type { S3 } from './s3-client.ts';

/** A stream is sent in parts that are held in memory, so that each can be retried. The limit of 10,000 parts is 78 GiB. */
const PART_BYTES = 8 * 2 ** 20;
const ABORT_MS = 2_000;

/**
 * Stores an object: a short one in a single request, a longer one as a multipart upload.
 *
 * minio's own putObject is not used for streams: it never settles if the source fails ("a source that fails or ends
 * early leaves nothing visible"), two concurrent ones to one key write into one upload ("of two concurrent large puts
 * to one key, one stays, whole"), and an unknown size makes parts of 528 MiB.
 */
export async function putS3Object(
  s3: S3,
  key: string,
  body: Uint8Array | Readable,
  { contentType = DEFAULT_CONTENT_TYPE, maxBytes = Number.POSITIVE_INFINITY, signal }: PutOptions,
): Promise<StoredObject> {
  checkContentType(contentType);
  signal?.throwIfAborted();
  const headers = { 'Content-Type': contentType };
  const hash = createHash('sha256');
  let size = 0;
  async function* measured(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }

  let upload: Upload | undefined;
  try {
    for await (const part of inParts(measured(sourceOf(body, signal)))) {
      if (!upload && part.length < PART_BYTES) {
        await s3.ask((client) => client.putObject(s3.bucket, key, part, part.length, headers), signal);
      } else {
        upload ??= await beginUpload(s3, key, headers, signal);
        await upload.add(part);
      }
    }
    await upload?.complete();
  } catch (error) {
    await upload?.abort();
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

/** The stream fails once the signal aborts, even while it waits for its source. */
function sourceOf(body: Uint8Array | Readable, signal: AbortSignal | undefined) {
  if (!(body instanceof Readable)) return [body];
  return signal ? addAbortSignal(signal, body) : body;
}

/** All parts but the last have at least `PART_BYTES`; the last may be empty. */
async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    length = 0;
  }
  yield Buffer.concat(chunks);
}

type Upload = Awaited<ReturnType<typeof beginUpload>>;

async function beginUpload(s3: S3, key: string, headers: Record<string, string>, signal: AbortSignal | undefined) {
  const { bucket } = s3;
  const uploadID = await s3.ask((client) => client.initiateNewMultipartUpload(bucket, key, { ...headers }), signal);
  const parts: { part: number; etag: string }[] = [];
  return {
    async add(bytes: Buffer) {
      if (bytes.length === 0) return;
      const partNumber = parts.length + 1;
      const md5 = createHash('md5').update(bytes).digest('base64');
      const { etag } = await s3.ask((client) => {
        const part = { bucketName: bucket, objectName: key, uploadID, partNumber, headers: { 'Content-MD5': md5 } };
        return client.uploadPart(part, bytes);
      }, signal);
      parts.push({ part: partNumber, etag });
    },
    complete: () => s3.ask((client) => client.completeMultipartUpload(bucket, key, uploadID, parts), signal),
    /** Frees the space of the parts. If that fails, a later start does it. */
    abort: () =>
      s3
        .ask((client) => client.abortMultipartUpload(bucket, key, uploadID), AbortSignal.timeout(ABORT_MS))
        .catch(() => {}),
  };
}
