import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, type Image } from '../../deploy/images/docker.ts';
import { IMAGES } from '../../deploy/images/images.ts';
import { cacheDirectory } from '../../deploy/stack/config.ts';
import { versitygwBinary } from '../../deploy/stack/versitygw.ts';
import { run } from './command.ts';
import { STAND_INS } from './values.ts';

const MB = 1e6;
const HELM_WITHIN_MS = 60_000;
const TESTS: Image[] = [
  ...STAND_INS.map((name) => ({ name: `parley-test-${name}`, dockerfile: `test/cluster/${name}.Dockerfile` })),
  { name: 'parley-test', dockerfile: 'test/cluster/test.Dockerfile' },
];

/**
 * Builds and pushes Parley's images, the stand-ins and the runner. Prints each with its size as progress, because the first
 * run takes minutes.
 */
export async function pushImages(registry: string, tag: string): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'parley-versitygw-'));
  try {
    const given = { context, buildArgs: { PROGRAM: 'given' } };
    const ready = await copyVersitygw(context);
    for (const image of [...IMAGES, ...TESTS]) {
      const prepared = ready && image.name === 'parley-test-versitygw' ? { ...image, ...given } : image;
      const { bytes, seconds } = await buildImage(prepared, registry, tag, true);
      process.stdout.write(`${`${Math.round(bytes / MB)} MB`.padStart(8)}  ${image.name}  (${seconds.toFixed(1)} s)\n`);
    }
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

/** Pushes the chart, and returns Helm's arguments to install it from the registry. */
export async function pushChart(registry: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chart-'));
  const helm = (...args: string[]) => run('helm', args, { timeoutMs: HELM_WITHIN_MS });
  const how = /^localhost\b/.test(registry) ? ['--plain-http'] : [];
  const charts = `oci://${registry}/parley-test-charts`;
  try {
    await helm('package', './helm', '--destination', folder);
    const [file = ''] = await readdir(folder);
    await helm('push', join(folder, file), charts, ...how);
    return [`${charts}/parley`, '--version', file.replace(/^parley-(.*)\.tgz$/, '$1'), ...how];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Copies versitygw from the stack's cache, which outlives the cluster and its layers: compiling it takes minutes. False where
 * the cache has no program for Linux.
 */
async function copyVersitygw(folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await copyFile(await versitygwBinary(cacheDirectory()), join(folder, 'versitygw'));
    return true;
  } catch {
    return false;
  }
}
