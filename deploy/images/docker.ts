import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Image {
  /** Its name in a registry. */
  name: string;
  /** Relative to the repository. */
  dockerfile: string;
  /** The context of the build; the repository by default. */
  context?: string;
  buildArgs?: Record<string, string>;
  labels?: Record<string, string>;
}

export interface BuiltImage {
  reference: string;
  bytes: number;
  /** Time to build it and, if requested, push it. */
  seconds: number;
}

const BUILD_WITHIN_MS = 45 * 60_000;
const PUSH_WITHIN_MS = 10 * 60_000;
const INSPECT_WITHIN_MS = 60_000;
/** Enough of docker's output to see why it failed. */
const KEPT_CHARACTERS = 4_000;

/** Builds an image as `<registry>/<name>:<tag>` with the local docker. Rejects with the end of docker's output. */
export async function buildImage(image: Image, registry: string, tag: string, push: boolean): Promise<BuiltImage> {
  const reference = `${registry}/${image.name}:${tag}`;
  const started = performance.now();
  await docker(['build', ...optionsOf(image), '-t', reference, image.context ?? '.'], BUILD_WITHIN_MS);
  if (push) await docker(['push', reference], PUSH_WITHIN_MS);
  const seconds = (performance.now() - started) / 1000;
  const bytes = Number(await docker(['image', 'inspect', '--format', '{{.Size}}', reference], INSPECT_WITHIN_MS));
  return { reference, bytes, seconds };
}

/**
 * Builds an image for several platforms, such as `linux/amd64,linux/arm64`, and pushes it with its provenance. Needs docker's buildx,
 * with a builder whose driver has attestations. Returns the reference with the digest.
 */
export async function publishImage(image: Image, registry: string, tag: string, platforms: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-image-'));
  try {
    const metadata = join(folder, 'metadata.json');
    const how = [`--platform=${platforms}`, '--provenance=mode=max', `--metadata-file=${metadata}`, '--push'];
    const name = `${registry}/${image.name}`;
    // Without buildx, docker would only say that it does not know an option.
    await docker(['buildx', 'version'], INSPECT_WITHIN_MS);
    const args = ['buildx', 'build', ...optionsOf(image), ...how, '-t', `${name}:${tag}`, image.context ?? '.'];
    await docker(args, BUILD_WITHIN_MS);
    const { 'containerimage.digest': digest } = JSON.parse(await readFile(metadata, 'utf8'));
    return `${name}@${digest}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function optionsOf({ dockerfile, buildArgs = {}, labels = {} }: Image): string[] {
  const args = Object.entries(buildArgs).map(([name, value]) => `--build-arg=${name}=${value}`);
  return ['-f', dockerfile, ...args, ...Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`)];
}

function docker(args: string[], timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'pipe'], timeout });
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => reject(new Error(`docker can't be run: ${error.message}`)));
    child.on('close', (code) => {
      if (code === 0) return resolve(output);
      reject(new Error(`docker ${args.join(' ')} failed (${code ?? `after ${timeout / 1000} s`}):\n${output}`));
    });
  });
}
