/** `npm run docs`: writes what the declarations of settings say into docs/settings.md and the chart's schema. */
import { readFile, writeFile } from 'node:fs/promises';
import { settingsPage, settingsSchema } from './settings.ts';

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  const file = new URL(`../../${path}`, import.meta.url);
  await writeFile(file, change(await readFile(file, 'utf8')));
}

await rewrite('docs/settings.md', settingsPage);
await rewrite('helm/values.schema.json', (text) => `${JSON.stringify(settingsSchema(JSON.parse(text)), null, 2)}\n`);
