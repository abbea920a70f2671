import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LastingServer, startLasting, startServer } from './server.ts';

/** One real file store that speaks S3, on the loopback address. */
export interface S3Server extends LastingServer {
  /** `http://host:port`, the same after a restart. */
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

interface Program {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  logFile: string;
  endpoint: string;
  /** Responds with 200 when the server is ready. */
  healthPath: string;
}

/** Only for loopback: anyone who can connect can also read the data directory. */
export const TEST_KEYS = { accessKey: 'parley-test', secretKey: 'parley-test-secret' };

/** Creates the directory for the objects, and returns where the log goes. */
export async function prepareDirectory(dataDir: string, name: string): Promise<{ objects: string; logFile: string }> {
  const objects = join(dataDir, 'objects');
  await mkdir(objects, { recursive: true });
  return { objects, logFile: join(dataDir, `${name}.log`) };
}

export async function startS3Server({ healthPath, endpoint, ...program }: Program): Promise<S3Server> {
  const start = () => startServer({ ...program, answers: () => answers(endpoint + healthPath) });
  return Object.assign(await startLasting(start), { endpoint, ...TEST_KEYS });
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
