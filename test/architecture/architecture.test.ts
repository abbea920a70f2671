import { expect, test } from '@jest/globals';
import { circlesOf } from './circles.ts';
import { IMPORTS, type Import, MANIFESTS, ROOT_MANIFEST, workspaceOf } from './imports.ts';

/** Rooms of which a file imports its own and those before it, none after it. */
const STOREYS = [['proto', 'packages'], ['gateway', 'services'], ['deploy'], ['clients', 'test']];
/** The same within the trainer: what runs in the sandbox knows nothing of crawls, crawls nothing of trainings. */
const TRAINER = ['sandbox', 'crawl', 'sources', 'training'];
/** The same within a service. */
const SERVICE = ['domain', 'store', 'rpc'];

const TRANSPORT_OR_STORE =
  /^(@parley\/(proto|corpus$)|@parley\/runtime\/(bus|mongo|objects|rpc)|@bufbuild|@connectrpc|@grpc|mongodb)/;

const isTest = (file: string) => /\.(test|fixture)\.|\/testing(\/|\.ts$)/.test(file);
/** Tests on real servers start them, whose programs are in `deploy/stack`. */
const startsServers = ({ from, to }: Import) => from.endsWith('.stack.test.ts') && to.startsWith('deploy/stack/');
/** Images contain its bundle; from sources, the gateway bundles it when it is first asked for. */
const isWidget = ({ from, specifier }: Import) => from.startsWith('gateway/') && specifier === '@parley/widget';
const where = ({ from, specifier }: Import) => `${from}: ${specifier}`;
const against = (isWrong: (one: Import) => boolean) => IMPORTS.filter(isWrong).map(where);

const storey = (file: string) => STOREYS.findIndex((folders) => folders.includes(file.split('/')[0]!));

/** Returns whether the import leads to a later one of the rooms, given the room of a file. */
const climbs = (rooms: readonly string[], roomOf: (file: string) => string | undefined) => (one: Import) => {
  const [from, to] = [roomOf(one.from), roomOf(one.to)].map((room) => (room ? rooms.indexOf(room) : -1));
  return from! >= 0 && to! > from!;
};

test('the imports of all workspaces are found', () => {
  expect(new Set(IMPORTS.map(({ from }) => workspaceOf(from)))).toEqual(new Set([...MANIFESTS.keys(), undefined]));
});

test('packages import no service, services nothing that deploys or tests them', () => {
  const isUp = ({ from, to }: Import) => storey(from) >= 0 && storey(to) > storey(from);
  expect(against((one) => isUp(one) && !startsServers(one) && !isWidget(one))).toEqual([]);
});

test('services, and the gateway, never import each other', () => {
  const isProcess = (file: string) => /^(services\/|gateway\/)/.test(file);
  const crosses = ({ from, to }: Import) => workspaceOf(from) !== workspaceOf(to) && isProcess(from) && isProcess(to);
  expect(against((one) => crosses(one) && !isTest(one.from))).toEqual([]);
});

test('the domain of a service imports neither transport nor store', () => {
  const isDomain = (file: string) => /^services\/[^/]+\/src\/domain\//.test(file) && !isTest(file);
  expect(against(({ from, specifier }) => isDomain(from) && TRANSPORT_OR_STORE.test(specifier))).toEqual([]);
  const roomOf = (file: string) => /^services\/[^/]+\/src\/(\w+)\//.exec(file)?.[1];
  expect(against((one) => !isTest(one.from) && climbs(SERVICE, roomOf)(one))).toEqual([]);
});

test('the rooms of the trainer import only those before them', () => {
  const roomOf = (file: string) => /^services\/trainer\/src\/(\w+)\//.exec(file)?.[1];
  expect(against((one) => !isTest(one.from) && climbs(TRAINER, roomOf)(one))).toEqual([]);
});

test('reading is pure: it knows no service, no store and no network', () => {
  const isImpure = ({ specifier }: Import) =>
    /^node:(child_process|cluster|dgram|dns|http|https|http2|tls|worker_threads)/.test(specifier) ||
    (specifier.startsWith('@parley/') && specifier !== '@parley/runtime/parse-url');
  expect(against((one) => one.from.startsWith('packages/reading/') && !isTest(one.from) && isImpure(one))).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(circlesOf(IMPORTS)).toEqual([]);
});

test.each([...MANIFESTS.keys()])('%s lists what it imports', (folder) => {
  const { name, dependencies, devDependencies, optionalDependencies } = MANIFESTS.get(folder)!;
  const shipped = { ...dependencies, ...optionalDependencies };
  // What all tests use is listed once, in the root.
  const all = { ...shipped, ...devDependencies, ...ROOT_MANIFEST.devDependencies };
  const isListed = (one: Import) => {
    const wanted = /^(?:@[^/]+\/)?[^/]+/.exec(one.specifier)![0];
    const isShipped = one.from.includes('/src/') && !isTest(one.from) && !isWidget(one);
    return wanted === name || wanted in (isShipped ? shipped : all);
  };
  const imports = IMPORTS.filter(
    ({ from, specifier }) => workspaceOf(from) === folder && !/^(node:|\.)/.test(specifier),
  );
  expect(imports.filter((one) => !isListed(one)).map(where)).toEqual([]);
});

test('packages and processes import other workspaces by their name', () => {
  const isOther = ({ from, to }: Import) => workspaceOf(to) !== workspaceOf(from);
  const isOurs = ({ from }: Import) => storey(from) === 0 || storey(from) === 1;
  expect(against((one) => isOurs(one) && one.specifier.startsWith('.') && isOther(one) && !startsServers(one))).toEqual(
    [],
  );
});
