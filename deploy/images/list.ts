/** Finds the images that a rendering of the chart names, and their digests, to copy them to another registry. */

/** The images of all containers in Kubernetes objects, each once, in order of their names. */
export function imagesIn(objects: readonly unknown[]): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (/^(c|initC)ontainers$/.test(key)) for (const { image } of inner) found.add(image);
      visit(inner);
    }
  };
  visit(objects);
  return [...found].sort();
}

const ASK_WITHIN_MS = 30_000;
const DIGEST = 'docker-content-digest';
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join();

/**
 * An image by its digest, as its registry has it now; unchanged if it names one already. Of an image for several platforms it is
 * the digest of the whole.
 *
 * @throws Error if the registry doesn't have it, does not answer, or wants to know who asks
 */
export async function pinned(image: string): Promise<string> {
  if (image.includes('@')) return image;
  const { host, name, tag } = partsOf(image);
  const scheme = /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? 'http' : 'https';
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${scheme}://${host}/v2/${name}/manifests/${tag}`, {
      method: 'HEAD',
      headers: { accept: MANIFESTS, ...headers },
      signal: AbortSignal.timeout(ASK_WITHIN_MS),
    }).catch((error) => {
      throw new Error(`${host} does not answer: ${error.cause?.message ?? error.message}`);
    });
  let answer = await ask();
  if (answer.status === 401) answer = await ask({ authorization: `Bearer ${await anonymousToken(answer)}` });
  const digest = answer.headers.get(DIGEST);
  if (!answer.ok || !digest) throw new Error(`${host} does not tell the digest of ${image} (status ${answer.status}).`);
  return `${image}@${digest}`;
}

const HUB = 'registry-1.docker.io';

/** Splits a reference as Docker does: a first part that is no host is a name on Docker Hub. */
function partsOf(image: string) {
  const [, base = '', tag = 'latest'] = /^(.+?)(?::([^:/]+))?$/.exec(image) ?? [];
  const [first = '', ...rest] = base.split('/');
  if (rest.length > 0 && (/[.:]/.test(first) || first === 'localhost'))
    return { host: first === 'docker.io' ? HUB : first, name: rest.join('/'), tag };
  return { host: HUB, name: rest.length > 0 ? base : `library/${base}`, tag };
}

/** Fetches the token that public registries give to everyone (Docker Registry v2 authentication). */
async function anonymousToken({ headers }: Response): Promise<string> {
  const asked = headers.get('www-authenticate') ?? '';
  const { realm, ...query } = Object.fromEntries(
    [...asked.matchAll(/(\w{1,20})="([^"]*)"/g)].map(([, k, v]) => [k, v]),
  );
  if (!realm) throw new Error(`The registry wants to know who asks: ${asked}`);
  const signal = AbortSignal.timeout(ASK_WITHIN_MS);
  const answer = await fetch(`${realm}?${new URLSearchParams(query)}`, { signal });
  const { token, access_token } = (await answer.json()) as { token?: string; access_token?: string };
  return token ?? access_token ?? '';
}
