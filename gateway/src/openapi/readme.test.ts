import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { routes } from '../routes/index.ts';

const row = ({ method, path, summary, scope, restricted = 'no scope', extension }: (typeof routes)[number]) =>
  `| \`${method} ${path}\`${extension ? ' +' : ''} | ${summary} | ${names(scope ? [scope] : [])} | ${names(restricted)} |`;

const names = (scopes: readonly string[] | 'no scope') =>
  scopes === 'no scope' ? '' : scopes.map((name) => `\`${name}\``).join(' or ');

test("the README's table lists every operation, with its scopes", async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const listed = readme.match(/^\| `(?:GET|POST|PUT|PATCH|DELETE) \/.*$/gm);
  expect(listed?.toSorted()).toEqual(routes.map(row).sort());
});
