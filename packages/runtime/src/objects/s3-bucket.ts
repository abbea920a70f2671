import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../env.ts';
import type { Log } from '../log.ts';
import { codeOf, type S3, type S3Config } from './s3-client.ts';

const WRONG_KEYS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'XAdminUserNotFound']);
const WRONG_REGION = new Set(['AuthorizationHeaderMalformed', 'InvalidRegion', 'IllegalLocationConstraintException']);
const MADE_BY_ANOTHER = new Set(['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']);
const LEFTOVER_MS = 24 * 3_600_000;

/**
 * Waits for the server and creates the bucket if it is missing.
 *
 * @throws ConfigError if the server refuses our region, or our keys and they are not to be waited for.
 */
export async function openBucket(s3: S3, config: S3Config, log: Log, signal: AbortSignal): Promise<void> {
  for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    try {
      if (await bucketIsThere(s3, signal)) return;
      await makeBucket(s3, signal);
      log.info({ bucket: s3.bucket }, 'created the bucket');
    } catch (error) {
      signal.throwIfAborted();
      refuseWrong(config, codeOf(error) ?? '');
      log.warn({ err: error }, 'the file store is unavailable; waiting for it');
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/** Lists objects instead of calling `bucketExists`, whose response has no body to say what is wrong. */
export async function bucketIsThere(s3: S3, signal?: AbortSignal): Promise<boolean> {
  try {
    await s3.ask((client) => client.listObjectsV2Query(s3.bucket, '', '', '', 1, ''), signal);
    return true;
  } catch (error) {
    if (codeOf(error) === 'NoSuchBucket') return false;
    throw error;
  }
}

const makeBucket = (s3: S3, signal: AbortSignal) =>
  s3
    .ask((client) => client.makeBucket(s3.bucket, client.region), signal)
    .catch((error) => {
      if (!MADE_BY_ANOTHER.has(codeOf(error) ?? '')) throw error;
    });

function refuseWrong({ endpoint, bucket, region, keys, awaitRights }: S3Config, code: string) {
  if (WRONG_KEYS.has(code) && !awaitRights)
    throw new ConfigError(
      `The file store at ${endpoint} refuses ${keys ? 'MINIO_ACCESS_KEY and MINIO_SECRET_KEY' : "this process's role (MINIO_CREDENTIALS)"}, at least for the bucket ${bucket} (${code}).`,
    );
  if (WRONG_REGION.has(code))
    throw new ConfigError(`The file store at ${endpoint} is not in the region ${region} (MINIO_REGION; ${code}).`);
}

/** Aborts uploads that died more than a day ago, 1,000 at most. Not every server does that by itself. */
export async function removeLeftovers(s3: S3, log: Log, signal: AbortSignal): Promise<void> {
  try {
    const { uploads } = await s3.ask((client) => client.listIncompleteUploadsQuery(s3.bucket, '', '', '', ''), signal);
    for (const { key, uploadId, initiated } of uploads) {
      if (Date.now() - new Date(initiated).getTime() < LEFTOVER_MS) continue;
      await s3.ask((client) => client.abortMultipartUpload(s3.bucket, key, uploadId), signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'unfinished uploads stay until the next start');
  }
}
