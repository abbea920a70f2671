import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { factsOf, folderOf, PROCESS_NAMES } from '../processes.ts';
import { selectManifests, selectSources } from './select.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'parley-select-'));
afterAll(() => rm(work, { recursive: true }));

interface Manifest {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

async function selected(service: string) {
  const target = join(work, service);
  await selectManifests(ROOT, service, target);
  const read = async (folder: string): Promise<Manifest> =>
    JSON.parse(await readFile(join(target, folder, 'package.json'), 'utf8'));
  const { workspaces = [] } = await read('.');
  return { workspaces, manifests: await Promise.all(workspaces.map(read)) };
}

test.each(PROCESS_NAMES)('the image of %s contains the workspaces that it needs, and no others', async (service) => {
  const needed = [folderOf(service), 'proto', 'packages/runtime'];
  if (factsOf(service).model) needed.push('packages/corpus');
  if (service === 'gateway' || service === 'events') needed.push('packages/catalogue');
  if (factsOf(service).model || service === 'mail') needed.push('packages/reading');
  if (factsOf(service).model || service === 'assistants') needed.push('packages/language');
  expect((await selected(service)).workspaces).toEqual(needed.sort());
});

test.each(PROCESS_NAMES)('the manifests of %s leave out development dependencies', async (service) => {
  for (const { dependencies, devDependencies } of (await selected(service)).manifests) {
    expect(devDependencies).toBeUndefined();
    expect(Object.keys(dependencies ?? {})).not.toContain('esbuild');
    expect(Object.keys(dependencies ?? {})).not.toContain('tsx');
    expect(Object.keys(dependencies ?? {})).not.toContain('@parley/embedded');
  }
});

const repository = join(work, 'repository');
const without = (name: string) => ({ recursive: true, filter: (path: string) => basename(path) !== name });

beforeAll(async () => {
  for (const folder of ['proto', 'packages', 'services', 'gateway'])
    await cp(join(ROOT, folder), join(repository, folder), without('node_modules'));
});

/** The TypeScript that the image of a service has in the folders `src`: text by path. */
async function sourcesOf(service: string): Promise<Map<string, string>> {
  const target = join(work, `sources of ${service}`);
  const own = join(repository, folderOf(service));
  await cp(own, join(repository, 'own'), { recursive: true });
  await selectSources(repository, service, target);
  await rm(join(repository, 'own'), { recursive: true });
  const paths = (await readdir(target, { recursive: true })).filter((path) =>
    /\/src\/.*(?<!\.d)\.(ts|mjs)$/.test(path),
  );
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(target, path), 'utf8')] as const)),
  );
}

test.each(PROCESS_NAMES)('the image of %s has what its sources import, and no code of tests', async (service) => {
  const sources = await sourcesOf(service);
  const imported = new Set<string>();
  for (const [path, text] of sources) {
    expect([path, text.match(/@jest\/globals|@parley\/embedded|\/testing['/]/g)]).toEqual([path, null]);
    for (const [, relative] of text.matchAll(/(?:from|import|import\(|new URL\()\s*'(\.[^']+\.(?:ts|mjs))'/g))
      imported.add(join(dirname(path), relative!));
  }
  expect([...imported].filter((path) => !sources.has(path))).toEqual([]);
  // Helpers of tests that are outside a folder `testing` would be sources that nothing imports.
  const entries = [...(await exportsOf(sources.keys())), ...PROGRAMS.flatMap((name) => byName(sources, name))];
  expect([...sources.keys()].filter((path) => !imported.has(path) && !entries.includes(path))).toEqual([]);
});

/** Programs that people and images start. */
const PROGRAMS = [
  'main.ts',
  'account.ts',
  'backup.ts',
  'dead-letters.ts',
  'grant-rights.ts',
  'seed.ts',
  'trainings.ts',
  'usage.ts',
];

const byName = (sources: ReadonlyMap<string, string>, name: string) =>
  [...sources.keys()].filter((path) => path.endsWith(`/src/${name}`));

/** The files that the manifests of these files' workspaces export. */
async function exportsOf(paths: Iterable<string>): Promise<string[]> {
  const folders = new Set([...paths].map((path) => path.slice(0, path.indexOf('/src/'))));
  const manifests = [...folders].map(async (folder) => {
    const { exports = {} } = JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8'));
    return Object.values<string>(exports).map((path) => join(folder, path));
  });
  return (await Promise.all(manifests)).flat();
}

test('an unknown service is refused by its name', async () => {
  await expect(selectManifests(ROOT, 'nothing', join(work, 'nothing'))).rejects.toThrow('no service nothing');
});

test.each(['deploy/Dockerfile', 'test/cluster/test.Dockerfile'])(
  '%s copies the manifest of every service',
  async (path) => {
    const dockerfile = await readFile(join(ROOT, path), 'utf8');
    const inside = async (folder: string) => (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`);
    const folders = ['proto', 'gateway', ...(await inside('packages')), ...(await inside('services'))];
    for (const folder of folders) expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  },
);
