/** Compiles the sources to JavaScript and declarations in `dist`, which is what the package contains. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DIST = join(HERE, 'dist');
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc');

rmSync(DIST, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [TSC, '-p', join(HERE, 'tsconfig.build.json')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

// The compiler rewrites the imports of the JavaScript only.
for (const file of readdirSync(DIST, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const path = join(DIST, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
