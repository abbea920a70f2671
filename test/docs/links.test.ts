import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { exists, FILES, FOLDERS, isFile, read } from './repository.ts';

const PAGES = FILES.filter((file) => file.endsWith('.md'));
/** Ours, and written by hand. */
const SOURCES = FILES.filter(
  (file) => /\.(ts|mjs|proto|ya?ml|tpl)$|Dockerfile$/.test(file) && !/\/(gen|generated|grpc|sites)\//.test(file),
);

/** A path from the root, or a word that names a file. */
const PATH = new RegExp(String.raw`^(?:${FOLDERS.join('|')})/[\w.<>/-]*$`);
const FILE = /^(?!\/)[\w<>./-]*\w\.(?:ts|mjs|md|json|ya?ml|tpl|proto)$/;
/** In a comment, data and contracts may be those of others. */
const SOURCE = /\.(?:ts|mjs|md|ya?ml|tpl)$/;

const withoutCode = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');

/** The words of a text, without the punctuation around them. `deploy/…` of kubectl is a Deployment. */
const wordsOf = (text: string) =>
  text
    .replace(/kubectl exec (-\S+ )*deploy\/\S+/g, '')
    .split(/[\s`'"()[\]{},;|$=]+/)
    .map((word) => word.replace(/[.:…]+$/, ''));

/** The addresses of headings on a page, as they are made for links. */
const anchorsOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('the pages are found', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/api.md']));
});

test.each(PAGES)('every relative link of %s leads to a file, and to a heading of it', (page) => {
  const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!);
  const broken = links.filter((link) => {
    if (/^\w+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    return !exists(target) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.each(PAGES)('every path of the repository that %s names is there', (page) => {
  const text = read(page);
  const inline = [...withoutCode(text).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word!);
  const missing = [
    ...wordsOf(text).filter((word) => PATH.test(word) && !exists(word)),
    ...inline.filter((word) => FILE.test(word) && !isFile(word) && !exists(join(dirname(page), word))),
  ];
  expect(missing).toEqual([]);
});

test.each(PAGES)('every npm script that %s names is there', (page) => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read(page).matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file that a comment cites is there', () => {
  const missing = SOURCES.flatMap((source) =>
    read(source)
      .split('\n')
      .filter((line) => /^\s*(\/?\*|\/\/|#)/.test(line))
      .flatMap(wordsOf)
      .filter((word) => FILE.test(word) && SOURCE.test(word) && !isFile(word.replace(/^(\.\.?\/)+/, '')))
      .map((word) => `${source}: ${word}`),
  );
  expect(missing).toEqual([]);
});
