import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { goBinary } from './go-binary.ts';

const PROGRAM = { name: 'The example', package: 'example.invalid/cmd/example', version: 'v1.2.3' };

let cacheDir: string;
const path = process.env['PATH'];
beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'parley-cache-'));
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(cacheDir, { recursive: true });
});

/** A `go` that runs the given script. */
async function installGo(script: string) {
  await writeFile(join(cacheDir, 'go'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['PATH'] = `${cacheDir}:${path}`;
}

test('a program is built once, and then found in the cache', async () => {
  await installGo('echo "$@" >> "$(dirname "$0")/calls"; echo built > "$GOBIN/example"');
  const binary = await goBinary(cacheDir, PROGRAM);
  expect(await goBinary(cacheDir, PROGRAM)).toBe(binary);
  expect((await readdir(cacheDir)).sort()).toEqual(['calls', 'example-v1.2.3', 'go']);
});

test('a build that fails says why, and leaves nothing behind', async () => {
  await installGo('echo "example.invalid: no such host" >&2; exit 1');
  await expect(goBinary(cacheDir, PROGRAM)).rejects.toThrow(
    'The example is not in the cache and could not be built: example.invalid: no such host',
  );
  expect(await readdir(cacheDir)).toEqual(['go']);
});

test('without Go, the error says so', async () => {
  await writeFile(join(cacheDir, 'nice'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  process.env['PATH'] = cacheDir;
  await expect(goBinary(cacheDir, PROGRAM)).rejects.toThrow('Go is not installed.');
});
