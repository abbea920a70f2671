import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { describedRoutes } from '../resources/index.ts';
import { describedPath, type NamedRoute } from '../route.ts';
import { scopeOf } from '../scopes.ts';

function row(route: NamedRoute): string {
  const { method, summary, restricted = 'no scope', extension } = route;
  const scope = scopeOf(route);
  return `| \`${method} ${describedPath(route)}\`${extension ? ' +' : ''} | ${summary} | ${names(scope ? [scope] : [])} | ${names(restricted)} |`;
}

const names = (scopes: readonly string[] | 'no scope') =>
  scopes === 'no scope' ? '' : scopes.map((name) => `\`${name}\``).join(' or ');

test('the table of docs/api.md lists every operation, with its scopes', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const listed = page.match(/^\| `(?:GET|POST|PUT|PATCH|DELETE) \/.*$/gm);
  expect(listed?.toSorted()).toEqual(describedRoutes.map(row).sort());
});
