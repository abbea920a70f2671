import { resolve } from 'node:path';
import { cacheDirectory } from './config.ts';
import { goBinary } from './go-binary.ts';
import { prepareDirectory, type S3Server, startS3Server, TEST_KEYS } from './s3-server.ts';
import { freePort, type LastingServerOptions } from './server.ts';

const PROGRAM = {
  name: 'versitygw',
  package: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.8.0',
};

const HEALTH = '/_health';

/** The path of the program in the cache; building it first needs Go. */
export const versitygwBinary = (cacheDir: string): Promise<string> => goBinary(cacheDir, PROGRAM);

/**
 * Starts a versitygw server, the file store that replaces MinIO; when this resolves, it is ready for any S3 client. The first
 * time it is built, which needs Go. Its data directory must support extended attributes.
 *
 * @param options.flags more of its command line
 * @throws Error that says why it is not available: no Go, or a port in use.
 */
export async function startVersitygw(options: LastingServerOptions & { flags?: string[] }): Promise<S3Server> {
  const { dataDir, cacheDir = cacheDirectory(), port, flags: more = [] } = options;
  const command = await versitygwBinary(cacheDir);
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const { objects, logFile } = await prepareDirectory(resolve(dataDir), 'versitygw');
  const flags = [
    '--port',
    address,
    '--region',
    'us-east-1',
    '--health',
    HEALTH,
    '--quiet',
    '--keep-alive',
    '--noacl',
    ...more,
  ];
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
