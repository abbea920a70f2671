import { readFile } from 'node:fs/promises';
import { folderOf, PROCESS_NAMES } from '../processes.ts';
import type { Image } from './docker.ts';

/** One image per process. */
export const IMAGES: Image[] = PROCESS_NAMES.map((service) => ({
  name: `parley-${service}`,
  dockerfile: 'deploy/Dockerfile',
  buildArgs: { SERVICE: service },
}));

/** The sources that the images of a release are built from. */
export interface Sources {
  version: string;
  /** The commit; `unknown` for sources that were unpacked from an archive. */
  commit: string;
  /** Time of the commit, as RFC 3339: the same for each build of it. */
  created?: string | undefined;
  /** Address at which the sources are published. */
  url?: string | undefined;
}

/** The images of a release: the commit in them, and the labels of OCI's image specification, for registries and scanners. */
export const releaseImages = (sources: Sources, repository = '.'): Promise<Image[]> =>
  Promise.all(
    IMAGES.map(async (image) => {
      const folder = `${repository}/${folderOf(image.buildArgs!['SERVICE']!)}`;
      const { description, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
      const { version, commit, created, url } = sources;
      const annotations = { title: image.name, description, licenses: license, version, revision: commit, created };
      const labels = Object.entries({ ...annotations, source: url }).flatMap(([name, value]) =>
        value === undefined ? [] : [[`org.opencontainers.image.${name}`, value]],
      );
      const buildArgs = { ...image.buildArgs, COMMIT: commit };
      return { ...image, buildArgs, labels: Object.fromEntries(labels) };
    }),
  );
