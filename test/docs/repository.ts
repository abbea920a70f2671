import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_IN_IT = /^(node_modules|\.git|\.parley)$/;

/** The files of a folder and of those in it, as paths from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_IN_IT.test(entry.name)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** All files of the repository, as paths from its root. */
export const FILES: readonly string[] = filesIn('');

/** The top-level folders. */
export const FOLDERS = [...new Set(FILES.flatMap((file) => (file.includes('/') ? file.split('/')[0]! : [])))];

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Returns whether a path from the root is a file or a folder. `<name>` stands for any name. */
export function exists(path: string): boolean {
  const pattern = path.replace(/\/$/, '').replace(/<[\w-]+>/g, '*');
  return FILES.some((file) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
}

/** Returns whether a path, or the end of one, is a file. */
export const isFile = (end: string): boolean => exists(end) || exists(`**/${end}`);
