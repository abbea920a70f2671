import { expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { openFiles } from '../../gateway/src/open-files.ts';
import { publicRoutes, routes } from '../../gateway/src/resources/index.ts';
import { exampleFile, objectOf, render } from './chart.ts';

interface Ingress {
  rules: { http: { paths: { path: string; pathType: string }[] } }[];
}
interface HttpRoute {
  rules: { matches: { path: { type: string; value: string } }[]; timeouts: { request: string } }[];
  parentRefs: object[];
  hostnames: string[];
}

const ingress = objectOf(await render(exampleFile('production.yaml')), 'Ingress', 'parley').spec as never as Ingress;
const paths = ingress.rules[0]!.http.paths;
/** A prefix counts by whole segments. */
const isPublic = (path: string) => paths.some((each) => path === each.path || path.startsWith(`${each.path}/`));

test('the Ingress leads to every operation, page and file of the gateway, but not to its health', async () => {
  const files = openFiles({ config: {}, log: createLog('test', 'silent') } as never);
  const served = [
    ...routes.map(({ path }) => `/v1${path}`),
    ...publicRoutes.map(({ path }) => `/public/v1${path}`),
    ...files.map(({ path }) => path),
  ];
  expect(served.filter((path) => !isPublic(path)).sort()).toEqual(['/healthz', '/readyz']);
  expect(paths.every(({ pathType }) => pathType === 'Prefix')).toBe(true);
});

test('an HTTPRoute leads to the same paths, and lets a reply take its time', async () => {
  const route = objectOf(await render(exampleFile('ha.yaml')), 'HTTPRoute', 'parley').spec as never as HttpRoute;
  expect(route).toMatchObject({
    parentRefs: [{ name: 'public', namespace: 'gateways' }],
    hostnames: ['parley.example.com'],
  });
  expect(route.rules[0]!.matches.map(({ path }) => path.value)).toEqual(paths.map(({ path }) => path));
  expect(route.rules[0]!.timeouts).toEqual({ request: '85s' });
});
