/** `npm run images -- [--registry R] [--tag T] [--push]`: builds one image per process and prints its size. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parseArgs, promisify } from 'node:util';
import { buildImage, type Image } from './docker.ts';
import { IMAGES } from './images.ts';

const MB = 1e6;

/** Sources that were unpacked from an archive have none. */
const commitOf = (): Promise<string> =>
  promisify(execFile)('git', ['rev-parse', 'HEAD']).then(
    ({ stdout }) => stdout.trim(),
    () => 'unknown',
  );
const withCommit = (image: Image, COMMIT: string): Image => ({ ...image, buildArgs: { ...image.buildArgs, COMMIT } });

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

try {
  const { values } = parseArgs({
    options: {
      registry: { type: 'string', default: 'localhost:5000' },
      tag: { type: 'string', default: version },
      push: { type: 'boolean', default: false },
    },
  });
  const commit = await commitOf();
  for (const image of IMAGES) {
    const { reference, bytes, seconds } = await buildImage(
      withCommit(image, commit),
      values.registry,
      values.tag,
      values.push,
    );
    const size = `${Math.round(bytes / MB)} MB`.padStart(7);
    process.stdout.write(`${size}  ${reference}  (${seconds.toFixed(1)} s)\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
