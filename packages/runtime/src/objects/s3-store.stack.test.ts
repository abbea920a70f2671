import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMinio } from '../../../../deploy/stack/minio.ts';
import type { S3Server } from '../../../../deploy/stack/s3-server.ts';
import type { LastingServerOptions } from '../../../../deploy/stack/server.ts';
import { startVersitygw } from '../../../../deploy/stack/versitygw.ts';
import { objectsContract } from './testing/contract.ts';
import { openStore } from './testing/open-s3.ts';

async function onServer(startServer: (options: LastingServerOptions) => Promise<S3Server>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  const { endpoint, accessKey, secretKey, stop } = await startServer({ dataDir });
  const argument = JSON.stringify({
    endpoint,
    keys: { accessKey, secretKey },
    bucket: 'contract',
    region: 'us-east-1',
  });
  const store = await openStore(argument);
  return {
    store,
    opener: { module: new URL('./testing/open-s3.ts', import.meta.url).href, argument },
    async close() {
      await store.stop?.();
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

objectsContract('objects on MinIO', () => onServer(startMinio));
objectsContract('objects on versitygw', () => onServer(startVersitygw));
