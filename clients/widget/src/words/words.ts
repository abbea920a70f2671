import { de } from './de.ts';
import { en, type Words } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fr } from './fr.ts';
import { zh } from './zh.ts';

/** The words of the panel, by language. Each visitor loads one. */
export const TRANSLATIONS = { en, de, fr, es, fa, zh } as const satisfies Record<string, Words>;

/** Fills the places of a sentence: `{name}`. */
export const filled = (sentence: string, values: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
