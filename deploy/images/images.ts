import type { Image } from './docker.ts';
import { SERVICES } from './select.ts';

/** An image per process. */
export const IMAGES: Image[] = SERVICES.map((service) => ({
  name: `parley-${service}`,
  dockerfile: 'deploy/Dockerfile',
  buildArgs: { SERVICE: service },
}));
