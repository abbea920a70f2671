import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/runtime/testing';
import { startParley } from '../../deploy/embedded/src/start-parley.ts';
import { freePort } from '../../deploy/stack/server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUN_WITHIN_MS = 50_000;

interface Run {
  code: unknown;
  lines: string[];
}

/** Runs the program of `helm test` on a separate system that may crawl `allow` and the pod's site. */
async function helmTest(allow: string[] = []): Promise<Run> {
  const [dataDir, database, sitePort] = [
    await mkdtemp(join(tmpdir(), 'parley-test-')),
    freshDatabase(),
    await freePort(),
  ];
  const crawlAllow = [`localhost:${sitePort}`, ...allow].join();
  const stored = { MONGODB_URI: database.uri, MONGODB_DATABASE_PREFIX: database.name };
  const variables = { ...stored, EMBEDDINGS: 'none', LOG_LEVEL: 'silent', CRAWL_ALLOW: crawlAllow };
  const parley = await startParley({ dataDir, port: 0, variables });
  try {
    const env = {
      ...process.env,
      GATEWAY: parley.baseUrl.replace('127.0.0.1', 'localhost'),
      AUTH_ADDRESS: parley.endpoints.auth,
      PARLEY_SECRET: parley.secret,
      FIRST_ACCOUNT_KEY: `parley_${'0'.repeat(38)}`,
      SITE: `http://localhost:${sitePort}`,
      SITE_PORT: `${sitePort}`,
    };
    return await new Promise((resolve) => {
      const options = { env, cwd: ROOT, timeout: RUN_WITHIN_MS };
      execFile(process.execPath, ['helm/files/helm-test.mjs'], options, (error, stdout) => {
        resolve({ code: error?.code ?? 0, lines: stdout.trim().split('\n') });
      });
    });
  } finally {
    await parley.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

const withoutTimes = (lines: string[]) => lines.map((line) => line.replace(/ \(\d+\.\d s\)$/, ''));

test('helm test goes from knowledge to a cited answer, with a line for each check', async () => {
  const { code, lines } = await helmTest();
  expect(code).toBe(0);
  expect(withoutTimes(lines)).toEqual([
    'ok  the gateway answers its accounts: as "helm test"',
    'ok  the key of the first account: was revoked',
    'ok  an FAQ answers, and is cited',
    'ok  a website answers, and is cited',
    "ok  another account's key gets 403",
    expect.stringMatching(
      /^ok {2}a crawl of a private address is refused: the gateway.* localhost is a private address/,
    ),
    expect.stringMatching(
      /^ok {2}a crawl of a private address is refused: this pod.* 127\.0\.0\.1 is a private address/,
    ),
    expect.stringMatching(
      /^ok {2}a crawl of a private address is refused: the cloud.* 169\.254\.169\.254 may not be read/,
    ),
    'All is well.',
  ]);
});

test('helm test fails if more than its own site may be crawled', async () => {
  const { code, lines } = await helmTest(['127.0.0.0/8', '::1/128']);
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^FAILED {2}a crawl of a private address is refused: the gateway, by its name: /);
});
