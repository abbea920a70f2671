/**
 * `npm run docs`: writes what the declarations of settings say into docs/settings.md and the chart's schema, and what the chart's
 * values say into docs/values.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { settingsPage, settingsSchema } from './settings.ts';
import { valuesPage } from './values.ts';

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  const file = new URL(`../../${path}`, import.meta.url);
  await writeFile(file, change(await readFile(file, 'utf8')));
}

await rewrite('docs/settings.md', settingsPage);
await rewrite('helm/values.schema.json', (text) => `${JSON.stringify(settingsSchema(JSON.parse(text)), null, 2)}\n`);
const values = await readFile(new URL('../../helm/values.yaml', import.meta.url), 'utf8');
await rewrite('docs/values.md', (page) => valuesPage(page, values));
