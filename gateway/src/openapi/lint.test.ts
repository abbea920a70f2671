import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describedRoutes } from '../resources/index.ts';
import { describeApi } from './describe-api.ts';

const CLI = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
const CONFIG = join(import.meta.dirname, 'redocly.yaml');
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

test("Redocly's linter finds nothing in the description", async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-lint-'));
  try {
    const file = join(dir, 'openapi.json');
    await writeFile(file, JSON.stringify(describeApi(describedRoutes, 'https://parley.example')));
    const args = [CLI, 'lint', file, `--config=${CONFIG}`, '--format=json', '--max-problems=1000'];
    const env = { ...process.env, ...OFFLINE };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 }).catch(
      (failed: { stdout: string }) => failed,
    );
    const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(problems).toEqual([]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
