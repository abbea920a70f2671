import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { type World, world } from '../e2e/world.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = join(ROOT, 'clients/typescript');
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];

const folder = await mkdtemp(join(tmpdir(), 'parley-client-'));
let system: World;
let tarball: string;

beforeAll(async () => {
  system = await world({ embeddings: 'none' });
  // npm runs no scripts here, `prepack` included.
  await run(process.execPath, [join(CLIENT, 'build.mjs')]);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLIENT });
  [{ filename: tarball }] = JSON.parse(stdout);
  await install();
});
afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Installs the tarball, with its dependencies as the repository's lock file has them, so that npm's cache suffices. */
async function install() {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const { version, dependencies } = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(DEPENDENCIES);
  const root = { name: 'consumer', dependencies: { '@parley/client': `file:${tarball}` } };
  const locked = {
    '': root,
    'node_modules/@parley/client': { version, resolved: `file:${tarball}`, dependencies },
    ...Object.fromEntries(DEPENDENCIES.map((name) => [`node_modules/${name}`, packages[`node_modules/${name}`]])),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...root, private: true, type: 'module' }));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, packages: locked }));
  await run('npm', ['ci', '--prefer-offline', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder });
}

async function example(): Promise<string> {
  const readme = await readFile(join(folder, 'node_modules/@parley/client/README.md'), 'utf8');
  return /```ts\n(.*?)```/s.exec(readme)![1]!;
}

test("the README's example compiles with the packed types, strictly", async () => {
  const file = join(folder, 'example.ts');
  await writeFile(file, await example());
  const program = ts.createProgram([file], {
    strict: true,
    skipDefaultLibCheck: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  });
  expect(
    ts.getPreEmitDiagnostics(program).map((found) => ts.flattenDiagnosticMessageText(found.messageText, '\n')),
  ).toEqual([]);
});

test("the README's example runs against a system", async () => {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileModule(await example(), { compilerOptions: options });
  await writeFile(join(folder, 'example.mjs'), outputText);
  const env = { ...process.env, PARLEY_URL: system.baseUrl, PARLEY_KEY: system.a.key };
  const { stdout } = await run(process.execPath, ['example.mjs'], { cwd: folder, env, timeout: 60_000 });
  expect(stdout).toContain('The shop opens at nine. [1]');
  expect(stdout).toMatch(/^[0-9a-f-]{36} \d{4}-\d\d-\d\dT[\d:.]+Z$/m);
  expect(stdout).toMatch(/^404 .* [\w.-]{1,64}$/m);
});

test('the package contains JavaScript, its types and the README, and no sources', async () => {
  const { stdout } = await run('tar', ['-tzf', join(folder, tarball)]);
  const names = stdout
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''));
  expect(names).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
  expect(names.filter((name) => !/^(README\.md|package\.json|dist\/.*\.(js|d\.ts))$/.test(name))).toEqual([]);
});
