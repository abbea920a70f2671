import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The contents of the Secrets in the namespace `default`, by name. */
export type Secrets = Record<string, Record<string, string>>;

/** Another object in that namespace, as Kubernetes returns it; it belongs to the release `parley` by default. */
export interface LiveObject {
  apiVersion: 'v1' | 'apps/v1';
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec?: unknown;
  data?: Record<string, string>;
}

export interface ApiServer extends AsyncDisposable {
  /** Options that make Helm query it as it queries a cluster during an install. */
  options: string[];
}

const RESOURCES: Record<string, Record<string, string>> = {
  v1: {
    ConfigMap: 'configmaps',
    Pod: 'pods',
    Secret: 'secrets',
    Service: 'services',
    ServiceAccount: 'serviceaccounts',
  },
  'apps/v1': { Deployment: 'deployments', StatefulSet: 'statefulsets' },
};

/** Metadata of objects that the release `parley` has created. A Secret outlives the release. */
const OF_RELEASE = {
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': 'parley', 'meta.helm.sh/release-namespace': 'default' },
};

/** The part of the Kubernetes API that Helm's `lookup` reads, for a namespace with these objects. */
export async function kubernetesWith(secrets: Secrets, objects: LiveObject[] = []): Promise<ApiServer> {
  const answers = new Map<string, unknown>([
    ['/version', { major: '1', minor: '35', gitVersion: 'v1.35.0' }],
    ['/api', { kind: 'APIVersions', versions: ['v1'] }],
    ['/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: [{ name: 'apps', versions: [version('apps/v1')] }] }],
    ['/api/v1', resourceList('v1')],
    ['/apis/apps/v1', resourceList('apps/v1')],
    [pathOf('serviceaccounts', 'default'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }],
  ]);
  for (const [name, values] of Object.entries(secrets)) {
    const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, btoa(value)]));
    answers.set(pathOf('secrets', name), { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...OF_RELEASE }, data });
  }
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object;
    const owned = { ...object, metadata: { ...OF_RELEASE, ...metadata } };
    answers.set(pathOf(RESOURCES[apiVersion]![kind]!, metadata.name, apiVersion), owned);
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const found = answers.get(pathname);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    options: ['--dry-run=server', '--disable-openapi-validation', '--kube-apiserver', `http://127.0.0.1:${port}`],
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const pathOf = (resource: string, name: string, groupVersion = 'v1') =>
  `/${groupVersion === 'v1' ? 'api' : 'apis'}/${groupVersion}/namespaces/default/${resource}/${name}`;

const version = (groupVersion: string) => ({ groupVersion, version: groupVersion.split('/').at(-1) });

const resourceList = (groupVersion: string) => ({
  kind: 'APIResourceList',
  groupVersion,
  resources: Object.entries(RESOURCES[groupVersion]!).map(([kind, name]) => ({
    name,
    kind,
    namespaced: true,
    verbs: ['get'],
  })),
});
