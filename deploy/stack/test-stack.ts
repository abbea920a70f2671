import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGivenServers } from './config.ts';
import { describeStack, startStack } from './start-stack.ts';

/** The end-to-end tests join the stack that runs; tests of servers and of faults, which wait a lot, start their own. */
const TESTS = ['/test/e2e/', '\\.stack\\.test\\.ts$'];

/** As the end-to-end tests need it: websites on loopback at full speed, and no model beside the local one. */
const TOLD = { CRAWL_ALLOW: '127.0.0.1/32', CRAWL_DELAY_MS: '0', OPENAI_BASE_URL: '', OPENAI_API_KEY: '' };

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the stack, tests on it, stops it; gives the exit code. Arguments that are no options name other tests. */
export async function testStack(
  runJest: (args: string[], env: NodeJS.ProcessEnv) => Promise<number>,
  args: string[],
): Promise<number> {
  const patterns = args.some((arg) => !arg.startsWith('-')) ? [] : TESTS;
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-stack-'));
  try {
    const stack = await startStack({ dataDir, variables: { ...TOLD, ...readGivenServers() }, say });
    const PARLEY_STACK = join(dataDir, 'stack.json');
    await describeStack(stack, PARLEY_STACK);
    const TEST_MONGODB_URI = stack.variables['MONGODB_URI'];
    const code = await runJest(['--maxWorkers=2', ...args, ...patterns], {
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
