import { PROCESS_NAMES } from '../processes.ts';
import type { Image } from './docker.ts';

/** One image per process. */
export const IMAGES: Image[] = PROCESS_NAMES.map((service) => ({
  name: `parley-${service}`,
  dockerfile: 'deploy/Dockerfile',
  buildArgs: { SERVICE: service },
}));
