import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';

const LOADER = fileURLToPath(new URL('./load-typescript.mjs', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'parley-load-typescript-'));
afterAll(() => rm(folder, { recursive: true }));
const program = join(folder, 'program.ts');

/** Runs a program, which is stored in the same file each time; returns what it wrote. */
async function run(typescript: string): Promise<string> {
  await writeFile(program, typescript);
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', LOADER, program], (_, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('a program that has changed runs as it is now', async () => {
  const printing = (text: string) => `const text: string = '${text}';\nconsole.log(text);`;
  expect(await run(printing('first'))).toBe('first\n');
  expect(await run(printing('second'))).toBe('second\n');
  expect(await run(printing('first'))).toBe('first\n');
});

test('errors name the lines of the source', async () => {
  const failing = 'interface Gone {\n  a: 1;\n}\n\nconst b: Gone = { a: 1 };\nthrow new Error(String(b.a));';
  expect(await run(failing)).toContain(`${program}:6:7`);
});
