import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PROCESS_NAMES } from '../processes.ts';
import { releaseImages } from './images.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('every image says in the labels of the OCI specification what it is and what it was built from', async () => {
  const sources = { version: '1.2.3', commit: 'c0ffee', created: '2026-11-25T10:00:00Z', url: 'https://git.example/p' };
  const images = await releaseImages(sources, ROOT);
  expect(images.map(({ name }) => name)).toEqual(PROCESS_NAMES.map((name) => `parley-${name}`));
  for (const { name, labels, buildArgs } of images) {
    expect(buildArgs).toMatchObject({ COMMIT: 'c0ffee' });
    expect(labels).toEqual({
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.description': expect.stringMatching(/^[A-Z].{5,}/),
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.revision': 'c0ffee',
      'org.opencontainers.image.created': '2026-11-25T10:00:00Z',
      'org.opencontainers.image.source': 'https://git.example/p',
    });
  }
  const [unpacked] = await releaseImages({ version: '1.2.3', commit: 'unknown' }, ROOT);
  expect(Object.keys(unpacked!.labels!)).not.toContain('org.opencontainers.image.created');
});
