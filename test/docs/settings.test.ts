import { expect, test } from '@jest/globals';
import { SETTINGS } from '@parley/runtime/settings';
import { settingsPage, settingsSchema } from '../../deploy/docs/settings.ts';
import { valuesPage } from '../../deploy/docs/values.ts';
import { FILES, read } from './repository.ts';

/** The programs' own reading of the environment. */
const READERS = FILES.filter(
  (file) =>
    /^(packages|services|gateway|deploy\/embedded)\/.*\.ts$/.test(file) &&
    !/\/settings\/|\.(test|fixture)\.ts$|\/testing(\/|\.ts)/.test(file),
);

test('docs/settings.md says what the declarations say: run npm run docs', () => {
  const page = read('docs/settings.md');
  expect(page).toBe(settingsPage(page));
});

test("docs/values.md says what the chart's values say: run npm run docs", () => {
  const page = read('docs/values.md');
  expect(page).toBe(valuesPage(page, read('helm/values.yaml')));
});

test("the chart's schema says what the declarations say: run npm run docs", () => {
  const schema = JSON.parse(read('helm/values.schema.json'));
  expect(schema).toEqual(settingsSchema(schema));
});

test('every setting that is declared is read', () => {
  const source = READERS.map(read).join('\n');
  // The gateway reads an address for each service in its table.
  const isRead = (name: string) => source.includes(`'${name}'`) || /^[A-Z]+_ADDRESS$/.test(name);
  expect(Object.keys(SETTINGS).filter((name) => !isRead(name))).toEqual([]);
});
