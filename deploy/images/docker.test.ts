import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publishImage } from './docker.ts';

const { PATH } = process.env;
const IMAGE = {
  name: 'parley-auth',
  dockerfile: 'deploy/Dockerfile',
  buildArgs: { SERVICE: 'auth' },
  labels: { a: 'b' },
};
let dir: string;

/** Puts a program in docker's place: this machine may have none, or one without buildx. */
async function docker(program: string): Promise<void> {
  const path = join(dir, 'docker');
  await writeFile(path, `#!/bin/sh\n${program}\n`);
  await chmod(path, 0o755);
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-docker-'));
  process.env.PATH = `${dir}:${PATH}`;
});
afterEach(async () => {
  process.env.PATH = PATH;
  await rm(dir, { recursive: true });
});

test('an image for several platforms is pushed with its provenance, and known by its digest', async () => {
  await docker(`[ "$2" = version ] && exit
echo "$*" > ${dir}/asked
for argument; do case $argument in --metadata-file=*) file=\${argument#*=};; esac; done
echo '{"containerimage.digest": "sha256:c0ffee"}' > "$file"`);
  const reference = await publishImage(IMAGE, 'r.example/p', '1.2.3', 'linux/amd64,linux/arm64');
  expect(reference).toBe('r.example/p/parley-auth@sha256:c0ffee');
  expect((await readFile(join(dir, 'asked'), 'utf8')).replace(/--metadata-file=\S+ /, '').trim()).toBe(
    'buildx build -f deploy/Dockerfile --build-arg=SERVICE=auth --label=a=b --platform=linux/amd64,linux/arm64 ' +
      '--provenance=mode=max --push -t r.example/p/parley-auth:1.2.3 .',
  );
});

test('the error says that docker has no buildx', async () => {
  await docker(`[ "$2" = version ] && echo "docker: unknown command: docker buildx" >&2; exit 1`);
  await expect(publishImage(IMAGE, 'r.example/p', '1.2.3', 'linux/arm64')).rejects.toThrow(
    'unknown command: docker buildx',
  );
});

test('what docker says of a failed build is in the error', async () => {
  await docker('[ "$2" = version ] && exit; echo "Attestation is not supported for the docker driver." >&2; exit 1');
  await expect(publishImage(IMAGE, 'r.example/p', '1.2.3', 'linux/arm64')).rejects.toThrow(
    'Attestation is not supported',
  );
});
