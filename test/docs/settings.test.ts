import { expect, test } from '@jest/globals';
import { FILES, read } from './repository.ts';

/** The programs' own reading of the environment. */
const READERS = FILES.filter(
  (file) =>
    /^(packages|services|gateway|deploy\/embedded)\/.*\.ts$/.test(file) &&
    !/\.(test|fixture)\.ts$|\/testing(\/|\.ts)/.test(file),
);
/** `env.text('NAME')`, and a helper of a config.ts that takes the name. */
const READ = /\b(?:env\.\w+|seconds|mib|perMinute|readHttp|readNetworks)\((?:env, )?'([A-Z][A-Z_]+)'/g;
/** Set by npm. */
const NOT_A_SETTING = ['INIT_CWD'];

test('docs/settings.md lists every variable that a program reads, and no other', () => {
  const variables = new Set(READERS.flatMap((file) => [...read(file).matchAll(READ)].map(([, name]) => name!)));
  for (const name of NOT_A_SETTING) variables.delete(name);
  const rows = read('docs/settings.md').match(/^\| `.*?\|/gm) ?? [];
  const listed = new Set(rows.flatMap((row) => [...row.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!)));
  expect([...listed].sort()).toEqual([...variables].sort());
});
