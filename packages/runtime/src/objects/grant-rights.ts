import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { openBucket } from './s3-bucket.ts';
import { connectS3, S3_TIMING, type S3Config } from './s3-client.ts';

/** What each service may do, as AWS writes the policy of a role. */
const POLICIES = new URL('./s3-policies.json', import.meta.url);

type Policies = Record<string, { Statement: object[] }>;

const REST_MS = 2_000;

/**
 * Has a file store allow each service what it needs in the bucket, which is created if it is missing. Each has a user of its
 * own name there; waits until the server knows them all. Idempotent.
 *
 * @param config with the keys of the store's root user
 */
export async function grantRights(config: S3Config, log: Log, signal: AbortSignal): Promise<void> {
  const { bucket } = config;
  const policies: Policies = JSON.parse((await readFile(POLICIES, 'utf8')).replaceAll('BUCKET', bucket));
  // What AWS grants to a role, other servers grant to a principal of the bucket.
  const Statement = Object.entries(policies).flatMap(([name, policy]) =>
    policy.Statement.map((statement) => ({ ...statement, Principal: { AWS: [name] } })),
  );
  const s3 = connectS3(config, S3_TIMING);
  try {
    for (;;) {
      await openBucket(s3, config, log, signal);
      try {
        const policy = JSON.stringify({ Version: '2012-10-17', Statement });
        await s3.ask((client) => client.setBucketPolicy(bucket, policy), signal);
        log.info({ bucket, users: Object.keys(policies) }, 'each service has its rights on the bucket');
        return;
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error }, 'the file store does not take the rights of the services yet');
        await sleep(REST_MS, undefined, { signal });
      }
    }
  } finally {
    s3.close();
  }
}
