import { join, resolve } from 'node:path';
import { cacheDirectory } from './config.ts';
import { goBinary } from './go-binary.ts';
import { prepareDirectory, type S3Server, startS3Server, TEST_KEYS } from './s3-server.ts';
import { freePort, type LastingServerOptions } from './server.ts';

/** The last version before the repository was archived; there are no released binaries. */
const PROGRAM = {
  name: 'MinIO',
  package: 'github.com/minio/minio',
  version: 'v0.0.0-20260212201848-7aac2a2c5b7c',
};

/** The path of the program in the cache; building it first needs Go. */
export const minioBinary = (cacheDir: string): Promise<string> => goBinary(cacheDir, PROGRAM);

/**
 * Starts a MinIO server; when this resolves, it is ready for any S3 client. The first time it is built, which needs Go.
 *
 * @throws Error that says why it is not available: no Go, or a port in use.
 */
export async function startMinio({
  dataDir,
  cacheDir = cacheDirectory(),
  port,
}: LastingServerOptions): Promise<S3Server> {
  const command = await minioBinary(cacheDir);
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
      HOME: resolve(dataDir), // It exits without one.
    },
    logFile,
    endpoint: `http://${address}`,
    healthPath: '/minio/health/ready',
  });
}
