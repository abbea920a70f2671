import { join, resolve } from 'node:path';
import { cacheDirectory } from './config.ts';
import { goBinary } from './go-binary.ts';
import { prepareDirectory, type S3Server, type S3ServerOptions, startS3Server, TEST_KEYS } from './s3-server.ts';
import { freePort } from './server.ts';

/** The last version before its repository was archived; there are no released programs of it. */
const PROGRAM = {
  name: 'MinIO',
  package: 'github.com/minio/minio',
  version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
};

/**
 * Starts a MinIO server: ready, when this resolves, for any S3 client. The first time it is built, which needs Go.
 *
 * @throws Error that says why it can't be had: no Go, a port that is taken.
 */
export async function startMinio({ dataDir, cacheDir = cacheDirectory(), port }: S3ServerOptions): Promise<S3Server> {
  const command = await goBinary(cacheDir, PROGRAM);
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const { objects, logFile } = await prepareDirectory(resolve(dataDir), 'minio');
  const certificates = join(resolve(dataDir), 'certificates');
  return startS3Server({
    name: PROGRAM.name,
    command,
    args: ['server', '--quiet', '--certs-dir', certificates, '--address', address, objects],
    env: {
      MINIO_ROOT_USER: TEST_KEYS.accessKey,
      MINIO_ROOT_PASSWORD: TEST_KEYS.secretKey,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
      HOME: resolve(dataDir), // It ends where it has none.
    },
    logFile,
    endpoint: `http://${address}`,
    healthPath: '/minio/health/ready',
  });
}
