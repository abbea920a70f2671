import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { factsOf, folderOf, PROCESS_NAMES } from '../../deploy/processes.ts';

interface Artifact {
  image: string;
  docker: { dockerfile: string; buildArgs?: Record<string, string>; target?: string };
  sync?: { manual: { src: string; dest: string }[] };
}

interface Patch {
  op: string;
  path: string;
  value: unknown;
}

interface Skaffold {
  build: { artifacts: Artifact[] };
  deploy: { helm: { releases: { valuesFiles?: string[]; setValueTemplates: Record<string, string> }[] } };
  portForward: { resourceName: string; port: number }[];
  profiles: { name: string; patches: Patch[] }[];
}

type Tree = { [key: string]: unknown };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(`${ROOT}/${path}`, 'utf8');
const skaffold = await withProfiles();
const values = parse(await read('helm/values.yaml')) as Tree;
const { artifacts } = skaffold.build;
const [release] = skaffold.deploy.helm.releases;

/** skaffold.yaml with all of its profiles applied. */
async function withProfiles(): Promise<Skaffold> {
  const whole = parse(await read('skaffold.yaml')) as Skaffold;
  for (const { op, path, value } of whole.profiles.flatMap(({ patches }) => patches)) {
    expect(op).toBe('add');
    const keys = path.split('/').slice(1);
    const last = keys.pop()!;
    const place = at(whole as unknown as Tree, keys) as Tree | unknown[];
    expect({ path, place }).toMatchObject({ place: expect.anything() });
    if (Array.isArray(place)) place.push(value);
    else place[last] = value;
  }
  return whole;
}

function at(tree: unknown, keys: string[]): unknown {
  return keys.reduce((node, key) => (node as Tree | undefined)?.[key], tree);
}

/** The paths of all values that are not objects. */
function leaves(tree: Tree, above: string[] = []): string[][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? leaves(value as Tree, [...above, key])
      : [[...above, key]],
  );
}

test('every process has an artifact, built for development and updated from all of its workspaces', async () => {
  const built = artifacts.flatMap(({ docker: { buildArgs, target }, image, sync }) => {
    const service = buildArgs?.['SERVICE'];
    return service ? [{ service, image, target, sources: sync!.manual.map(({ src }) => src).sort() }] : [];
  });
  const wanted = PROCESS_NAMES.map((service) => {
    const folders = [`${folderOf(service)}/src`, 'packages/runtime/src', 'proto/gen'];
    if (factsOf(service).model) folders.push('packages/corpus/src');
    if (service === 'gateway' || service === 'events') folders.push('packages/catalogue/src');
    if (factsOf(service).model || service === 'mail') folders.push('packages/reading/src');
    if (factsOf(service).model || service === 'assistants') folders.push('packages/language/src');
    const sources = folders.map((folder) => `${folder}/**/*.ts`).sort();
    return { service, image: `parley-${service}`, target: 'dev', sources };
  });
  expect(built).toHaveLength(wanted.length);
  expect(built).toEqual(expect.arrayContaining(wanted));
});

test.each(artifacts)('the Dockerfile of $image declares its build arguments and its target', async ({ docker }) => {
  const dockerfile = await read(docker.dockerfile);
  const stages = [...dockerfile.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, stage]) => stage);
  if (docker.target) expect(stages).toContain(docker.target);
  for (const name of Object.keys(docker.buildArgs ?? {})) expect(dockerfile).toMatch(new RegExp(`^ARG ${name}$`, 'm'));
});

test.each(artifacts.filter(({ sync }) => sync))('the sources synced into a running $image exist', ({ sync }) => {
  for (const { src, dest } of sync!.manual) {
    expect(src).toMatch(/^[^*]+\/\*\*\/\*\.ts$/);
    expect({ src, exists: existsSync(`${ROOT}/${src.slice(0, src.indexOf('*'))}`) }).toMatchObject({ exists: true });
    expect(dest).toBe('/app');
  }
});

test('each service of the chart gets its own image, and every value that is set exists in the chart', () => {
  const images = artifacts.map(({ image }) => image);
  for (const [path, template] of Object.entries(release!.setValueTemplates)) {
    expect({ path, value: at(values, path.split('.')) }).toMatchObject({ value: expect.anything() });
    const [, image] = /^{{\.IMAGE_FULLY_QUALIFIED_(\w+)}}$/.exec(template) ?? [];
    if (image) expect(images).toContain(image.replaceAll('_', '-'));
  }
  for (const service of PROCESS_NAMES)
    expect(release!.setValueTemplates[`services.${service}.image`]).toContain(`parley_${service}}}`);
});

test('the values of the dev profile exist in the chart', async () => {
  for (const file of release!.valuesFiles!)
    for (const path of leaves(parse(await read(file))))
      expect({ path, value: at(values, path) }).toMatchObject({ value: expect.anything() });
});

test("the forwarded port is the one of the gateway's Service", () => {
  const { port } = at(values, ['gateway', 'service']) as { port: number };
  expect(skaffold.portForward).toMatchObject([{ resourceName: 'parley-gateway', port }]);
});
