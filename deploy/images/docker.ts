import { spawn } from 'node:child_process';

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
  const buildArgs = Object.entries(image.buildArgs ?? {}).map(([name, value]) => `--build-arg=${name}=${value}`);
  const labels = Object.entries(image.labels ?? {}).map(([name, value]) => `--label=${name}=${value}`);
  const how = ['-f', image.dockerfile, ...buildArgs, ...labels];
  const started = performance.now();
  await docker(['build', ...how, '-t', reference, image.context ?? '.'], BUILD_WITHIN_MS);
  if (push) await docker(['push', reference], PUSH_WITHIN_MS);
  const seconds = (performance.now() - started) / 1000;
  const bytes = Number(await docker(['image', 'inspect', '--format', '{{.Size}}', reference], INSPECT_WITHIN_MS));
  return { reference, bytes, seconds };
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
