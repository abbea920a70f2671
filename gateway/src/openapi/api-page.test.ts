import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { routes } from '../routes/index.ts';

const row = ({ method, path, summary, scope, restricted = 'no scope', extension }: (typeof routes)[number]) =>
  `| \`${method} ${path}\`${extension ? ' +' : ''} | ${summary} | ${names(scope ? [scope] : [])} | ${names(restricted)} |`;

const names = (scopes: readonly string[] | 'no scope') =>
  scopes === 'no scope' ? '' : scopes.map((name) => `\`${name}\``).join(' or ');

test('the table of docs/api.md lists every operation, with its scopes', async () => {
  const page = await readFile(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const listed = page.match(/^\| `(?:GET|POST|PUT|PATCH|DELETE) \/.*$/gm);
  expect(listed?.toSorted()).toEqual(routes.map(row).sort());
});
