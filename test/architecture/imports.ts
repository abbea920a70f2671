import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An import of one file by another; `to` is a path from the root, or the name of a package that is not ours. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** As the source has it. */
  readonly specifier: string;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
const sources = tracked.filter((file) => /\.(ts|mts|mjs)$/.test(file) && existsSync(join(ROOT, file)));

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

export const ROOT_MANIFEST = readManifest('package.json');

/** The manifests of all workspaces, by folder. */
export const MANIFESTS: ReadonlyMap<string, Manifest> = new Map(
  tracked.filter((file) => file.endsWith('/package.json')).map((file) => [dirname(file), readManifest(file)]),
);

const folderByName = new Map([...MANIFESTS].map(([folder, { name }]) => [name, folder]));

/** The folder of the workspace that a file is in. */
export const workspaceOf = (file: string): string | undefined =>
  [...MANIFESTS.keys()].find((folder) => file.startsWith(`${folder}/`));

/** Every import of every source, of types and at run time as well. */
export const IMPORTS: readonly Import[] = sources.flatMap((from) =>
  ts
    .preProcessFile(readFileSync(join(ROOT, from), 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => ({ from, to: targetOf(from, fileName), specifier: fileName })),
);

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return resolve('/', dirname(from), specifier).slice(1);
  const [, name = specifier, path = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(specifier) ?? [];
  const folder = folderByName.get(name);
  if (folder === undefined) return name;
  const { exports = {} } = MANIFESTS.get(folder)!;
  const entry = exports[`.${path}`] ?? exports['./*']?.replace('*', path.slice(1));
  return join(folder, entry ?? path);
}
