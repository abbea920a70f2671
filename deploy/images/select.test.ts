import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { SERVICES, selectManifests } from './select.ts';

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

test('an image has the workspaces that its process needs, and no others', async () => {
  const shared = ['proto', 'services/runtime'];
  const workspaces = Object.fromEntries(
    await Promise.all(SERVICES.map(async (service) => [service, (await selected(service)).workspaces])),
  );
  expect(workspaces).toEqual({
    gateway: ['gateway', ...shared],
    auth: ['proto', 'services/auth', 'services/runtime'],
    knowledge: ['proto', 'services/corpus', 'services/knowledge', 'services/runtime'],
    assistants: ['proto', 'services/assistants', 'services/runtime'],
    conversations: ['proto', 'services/conversations', 'services/runtime'],
    trainer: ['proto', 'services/corpus', 'services/runtime', 'services/trainer'],
  });
});

test.each(SERVICES)('what only the development of %s needs is in no manifest', async (service) => {
  for (const { dependencies, devDependencies } of (await selected(service)).manifests) {
    expect(devDependencies).toBeUndefined();
    expect(Object.keys(dependencies ?? {})).not.toContain('tsx');
    expect(Object.keys(dependencies ?? {})).not.toContain('@parley/embedded');
  }
});

test('an unknown service is refused by its name', async () => {
  await expect(selectManifests(ROOT, 'nothing', join(work, 'nothing'))).rejects.toThrow('no service nothing');
});

test.each(['deploy/Dockerfile', 'test/cluster/test.Dockerfile'])(
  '%s has the manifest of every service',
  async (path) => {
    const dockerfile = await readFile(join(ROOT, path), 'utf8');
    const services = (await readdir(join(ROOT, 'services'))).map((name) => `services/${name}`);
    for (const folder of ['proto', 'gateway', ...services])
      expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  },
);
