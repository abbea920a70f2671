import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory, readGivenServers } from './config.ts';
import { kafkaJars } from './kafka-jars.ts';
import { minioBinary } from './minio.ts';
import { registryBinary } from './registry.ts';
import { describeStack, startStack } from './start-stack.ts';
import { versitygwBinary } from './versitygw.ts';

/**
 * The conformance suite and the end-to-end tests use the running stack; tests of servers and of faults, which wait a lot,
 * start their own.
 */
const TESTS = ['/test/conformance/contract', '/test/e2e/', '\\.stack\\.test\\.ts$'];

/**
 * Settings for these tests: crawl loopback at full speed, no YouTube, only the local model, as many wrong keys as they like, and
 * tickets that stay as tests leave them.
 */
const VARIABLES = {
  CRAWL_ALLOW: '127.0.0.1/32',
  CRAWL_DELAY_MS: '0',
  YOUTUBE_URL: 'http://127.0.0.1:9',
  OPENAI_BASE_URL: '',
  OPENAI_API_KEY: '',
  AUTH_FAILURES_PER_MINUTE: '0',
  AI_QUIET_SECONDS: '3600',
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * Fetches and builds every server that a test starts, so that tests don't time out. One by one, because a build uses both
 * cores for minutes.
 */
async function fetchPrograms(): Promise<void> {
  const cacheDir = cacheDirectory();
  const programs = [kafkaJars, minioBinary, versitygwBinary, registryBinary];
  for (const fetchProgram of programs) await fetchProgram(cacheDir);
}

/** Starts the stack, runs the tests on it and stops it; returns the exit code. Arguments other than options select tests. */
export async function testStack(
  runJest: (args: string[], env: NodeJS.ProcessEnv) => Promise<number>,
  args: string[],
): Promise<number> {
  const patterns = args.some((arg) => !arg.startsWith('-')) ? [] : TESTS;
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-stack-'));
  try {
    await fetchPrograms();
    const stack = await startStack({ dataDir, variables: { ...VARIABLES, ...readGivenServers() }, say });
    const PARLEY_STACK = join(dataDir, 'stack.json');
    await describeStack(stack, PARLEY_STACK);
    const TEST_MONGODB_URI = stack.variables['MONGODB_URI'];
    const code = await runJest([...args, ...patterns], {
      ...process.env,
      STACK: '1',
      PARLEY_STACK,
      TEST_MONGODB_URI,
    });
    await stack.stop();
    return code;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
