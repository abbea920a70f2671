import { resolve } from 'node:path';
import { cacheDirectory } from './config.ts';
import { goBinary } from './go-binary.ts';
import { prepareDirectory, type S3Server, type S3ServerOptions, startS3Server, TEST_KEYS } from './s3-server.ts';
import { freePort } from './server.ts';

const PROGRAM = {
  name: 'versitygw',
  package: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
};

const HEALTH = '/_health';

/**
 * Starts a versitygw server, the file store that takes MinIO's place: ready, when this resolves, for any S3 client. The
 * first time it is built, which needs Go. Its data directory must allow extended attributes.
 *
 * @throws Error that says why it can't be had: no Go, a port that is taken.
 */
export async function startVersitygw(options: S3ServerOptions): Promise<S3Server> {
  const { dataDir, cacheDir = cacheDirectory(), port } = options;
  const command = await goBinary(cacheDir, PROGRAM);
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const { objects, logFile } = await prepareDirectory(resolve(dataDir), 'versitygw');
  const flags = ['--port', address, '--region', 'us-east-1', '--health', HEALTH, '--quiet', '--keep-alive', '--noacl'];
  return startS3Server({
    name: PROGRAM.name,
    command,
    args: [...flags, 'posix', objects],
    env: { ROOT_ACCESS_KEY: TEST_KEYS.accessKey, ROOT_SECRET_KEY: TEST_KEYS.secretKey },
    logFile,
    endpoint: `http://${address}`,
    healthPath: HEALTH,
  });
}
