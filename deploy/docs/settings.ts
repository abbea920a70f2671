import { SECTIONS, SETTINGS } from '@parley/runtime/settings';

const ROW = (name: string, shown: string, about: string): string => `| \`${name}\` | ${shown} | ${about} |`;

/** The page of settings with the table of each section written anew. The sections and their prose are its own. */
export function settingsPage(page: string): string {
  return Object.entries(SECTIONS).reduce((written, [title, settings]) => {
    const rows = Object.entries(settings).map(([name, { shown, about }]) => ROW(name, shown, about));
    const table = ['| Variable | Default | |', '|---|---|---|', ...rows, ''].join('\n');
    const before = new RegExp(`(\n## ${title}\n[^|]*?\n)(?:\\|.*\n)+`);
    if (!before.test(written)) throw new Error(`docs/settings.md has no table in a section ${title}.`);
    return written.replace(before, (_, heading: string) => heading + table);
  }, page);
}

interface Schema {
  $defs: Record<string, unknown>;
}

/** The chart's schema of values with what a process may have in `env`. */
export function settingsSchema<S extends Schema>(schema: S): S {
  const properties = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.schema]));
  const settings = {
    type: 'object',
    propertyNames: { $ref: '#/$defs/variable' },
    properties,
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  };
  return { ...schema, $defs: { ...schema.$defs, settings } };
}
