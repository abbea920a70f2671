import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { folderOf, PROCESS_NAMES } from '../processes.ts';

/** The parts of a workspace's package.json that matter here. */
interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

interface Workspace {
  /** Relative to the repository. */
  folder: string;
  manifest: Manifest;
}

/** Tests, and what only tests use. */
const TESTS = /\.(test|fixture)\.|^(test|testing)(\.ts)?$/;

/**
 * Writes the manifests of a service and of the workspaces that it needs in production, without development dependencies.
 * npm alone can't do this: `npm install --omit=dev -w auth` also installs development dependencies that are workspaces, and
 * everything that those depend on.
 */
export async function selectManifests(repository: string, service: string, target: string): Promise<void> {
  const needed = await workspacesOf(repository, service);
  const { version, license } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const workspaces = needed.map(({ folder }) => folder);
  const root = { name: `parley-${service}`, version, license, private: true, type: 'module', workspaces };
  const manifests = needed.map(({ folder, manifest: { devDependencies, ...rest } }) => ({ folder, manifest: rest }));
  for (const { folder, manifest } of [{ folder: '.', manifest: root }, ...manifests]) {
    await mkdir(join(target, folder), { recursive: true });
    await writeFile(join(target, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/** Copies the sources of those workspaces without their tests, the service's own from `own/`, and links its `main.ts`. */
export async function selectSources(repository: string, service: string, target: string): Promise<void> {
  for (const { folder } of await workspacesOf(repository, service)) {
    const source = folder === folderOf(service) ? 'own' : folder;
    const filter = (path: string) =>
      !['node_modules', 'package.json'].includes(basename(path)) && !TESTS.test(basename(path));
    await cp(join(repository, source), join(target, folder), { recursive: true, filter });
  }
  await symlink(`${folderOf(service)}/src/main.ts`, join(target, 'main.ts'));
}

/** The service's own workspace and all of its production dependencies among the workspaces. */
async function workspacesOf(repository: string, service: string): Promise<Workspace[]> {
  const packages = await readdir(join(repository, 'packages'));
  const folders = ['proto', ...packages.map((name) => `packages/${name}`), ...PROCESS_NAMES.map(folderOf)];
  const all = await Promise.all(folders.map((folder) => readWorkspace(repository, folder)));
  const byName = new Map(all.map((workspace) => [workspace.manifest.name, workspace]));
  const needed = new Set<Workspace>();
  const add = (name: string) => {
    const workspace = byName.get(name);
    if (!workspace || needed.has(workspace)) return;
    needed.add(workspace);
    Object.keys(workspace.manifest.dependencies ?? {}).forEach(add);
  };
  add(`@parley/${service}`);
  if (needed.size === 0) throw new Error(`There is no service ${service}.`);
  return [...needed].sort((a, b) => a.folder.localeCompare(b.folder));
}

const readWorkspace = async (repository: string, folder: string): Promise<Workspace> => ({
  folder,
  manifest: JSON.parse(await readFile(join(repository, folder, 'package.json'), 'utf8')),
});
