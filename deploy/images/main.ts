/** `npm run images -- [--registry R] [--tag T] [--push]`: builds one image per process and prints its size. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildImage } from './docker.ts';
import { IMAGES } from './images.ts';

const MB = 1e6;
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

try {
  const { values } = parseArgs({
    options: {
      registry: { type: 'string', default: 'localhost:5000' },
      tag: { type: 'string', default: version },
      push: { type: 'boolean', default: false },
    },
  });
  for (const image of IMAGES) {
    const { reference, bytes, seconds } = await buildImage(image, values.registry, values.tag, values.push);
    const size = `${Math.round(bytes / MB)} MB`.padStart(7);
    process.stdout.write(`${size}  ${reference}  (${seconds.toFixed(1)} s)\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
