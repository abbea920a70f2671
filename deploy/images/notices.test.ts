import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { noticesOf } from './notices.ts';

test('the notices have the texts of every package of others, each once, and name what ships none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-notices-'));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('node_modules/a/LICENSE', 'Do what you like.\r\nBut say so.\n');
  await write('node_modules/a/NOTICE.txt', 'Made by A.\n');
  await write('node_modules/a/licenses.js', '');
  await write('node_modules/a/node_modules/b/LICENCE.md', 'Ask B.');
  await write('node_modules/c/LICENSE', 'Ask B.\n');
  await write('node_modules/d/package.json', '{}');
  const described = (name: string, packageFileName: string, licenseDeclared = 'MIT') => ({
    ...{ name, packageFileName, licenseDeclared },
    ...{ versionInfo: '1.0.0', homepage: `https://${name}.example` },
  });
  const packages = [
    described('parley-auth', ''),
    described('a', 'node_modules/a'),
    described('b', 'node_modules/a/node_modules/b', 'ISC'),
    described('c', 'node_modules/c', 'ISC'),
    described('d', 'node_modules/d'),
    described('@parley/runtime', 'node_modules/@parley/runtime', 'Apache-2.0'),
  ];
  const [, ...parts] = (await noticesOf({ packages }, folder)).split(`${'-'.repeat(80)}\n\n`);
  expect(parts.map((part) => part.trim())).toEqual([
    'a 1.0.0 (MIT)\n\nDo what you like.\nBut say so.\n\nMade by A.',
    'b 1.0.0 (ISC)\nc 1.0.0 (ISC)\n\nAsk B.',
    'd 1.0.0 (MIT)\n\nThe package has no text of its licence. Its homepage: https://d.example',
  ]);
  await rm(folder, { recursive: true });
});
