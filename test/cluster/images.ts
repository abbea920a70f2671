import { buildImage, type Image } from '../../deploy/images/docker.ts';
import { IMAGES } from '../../deploy/images/images.ts';
import { STAND_INS } from './values.ts';

const MB = 1e6;
const TESTS: Image[] = [
  ...STAND_INS.map((name) => ({ name: `parley-test-${name}`, dockerfile: `test/cluster/${name}.Dockerfile` })),
  { name: 'parley-test', dockerfile: 'test/cluster/test.Dockerfile' },
];

/**
 * Builds and pushes Parley's images, the stand-ins and that of the runner. The first time that takes minutes: it
 * tells of each, with its size.
 */
export async function pushImages(registry: string, tag: string): Promise<void> {
  for (const image of [...IMAGES, ...TESTS]) {
    const { bytes, seconds } = await buildImage(image, registry, tag, true);
    process.stdout.write(`${`${Math.round(bytes / MB)} MB`.padStart(8)}  ${image.name}  (${seconds.toFixed(1)} s)\n`);
  }
}
