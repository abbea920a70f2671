import { join } from 'node:path';
import { cacheDirectory } from './config.ts';
import { goBinary } from './go-binary.ts';
import { freePort, type LastingServerOptions, type Server, startServer } from './server.ts';

const PROGRAM = {
  name: 'The registry',
  package: 'github.com/google/go-containerregistry/cmd/registry',
  version: 'v0.20.6',
};

/** The path of the program in the cache; building it first needs Go, and less than a minute. */
export const registryBinary = (cacheDir: string): Promise<string> => goBinary(cacheDir, PROGRAM);

/** Starts a registry of OCI artifacts that keeps them in memory; `host` is where it listens. */
export async function startRegistry(options: LastingServerOptions): Promise<Server & { host: string }> {
  const { dataDir, cacheDir = cacheDirectory(), port = await freePort() } = options;
  const host = `localhost:${port}`;
  const server = await startServer({
    name: PROGRAM.name,
    command: await registryBinary(cacheDir),
    args: ['-port', String(port)],
    logFile: join(dataDir, 'registry.log'),
    answers: () =>
      fetch(`http://${host}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  return { ...server, host };
}
