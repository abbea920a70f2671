/**
 * `npm run images -- [--registry R] [--tag T] [--source URL] [--push]`: builds one image per process and prints its size. With
 * `--platforms linux/amd64,linux/arm64`: pushes each for several platforms, with its provenance, and prints its digest.
 * `npm run images -- list [OPTIONS OF HELM]`: prints the images that the chart needs with these values, with their digests.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { parseArgs, promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { buildImage, publishImage } from './docker.ts';
import { releaseImages } from './images.ts';
import { imagesIn, pinned } from './list.ts';

const MB = 1e6;
const run = promisify(execFile);

/** Sources that were unpacked from an archive have none. */
const git = (...args: string[]): Promise<string | undefined> =>
  run('git', args).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const say = (line: string) => process.stdout.write(`${line}\n`);

async function build(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      registry: { type: 'string', default: 'localhost:5000' },
      tag: { type: 'string', default: version },
      source: { type: 'string' },
      push: { type: 'boolean', default: false },
      platforms: { type: 'string' },
    },
  });
  const [commit = 'unknown', created] = await Promise.all([git('rev-parse', 'HEAD'), git('log', '-1', '--format=%cI')]);
  for (const image of await releaseImages({ version, commit, created, url: values.source })) {
    if (values.platforms !== undefined) {
      say(await publishImage(image, values.registry, values.tag, values.platforms));
      continue;
    }
    const { reference, bytes, seconds } = await buildImage(image, values.registry, values.tag, values.push);
    say(`${`${Math.round(bytes / MB)} MB`.padStart(7)}  ${reference}  (${seconds.toFixed(1)} s)`);
  }
}

/** Prints the images with the digests that their registries have; `--offline` leaves those out. */
async function list(args: string[]): Promise<void> {
  const isOffline = args.includes('--offline');
  const options = args.filter((arg) => arg !== '--offline');
  const { stdout } = await run('helm', ['template', 'parley', 'helm', ...options]).catch((error) => {
    throw new Error(error.code === 'ENOENT' ? 'Helm is not installed.' : error.stderr || error.message);
  });
  const images = imagesIn(parseAllDocuments(stdout).map((document) => document.toJS()));
  for (const image of images) say(isOffline ? image : await pinned(image));
}

const [command, ...rest] = process.argv.slice(2);
try {
  if (command === 'list') await list(rest);
  else await build(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
