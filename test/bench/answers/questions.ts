import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { holds } from './score.ts';
import { type Section, sectionsOf, textAt } from './sections.ts';
import type { Pages } from './site.ts';

export const KINDS = ['answerable', 'two', 'followUp', 'near', 'foreign', 'talk'] as const;

/**
 * answerable: one section answers it. two: it needs two sections. followUp: it can't be understood without the questions
 * before it. near: of the same field, but the pages don't answer it. foreign: of another field. talk: a greeting, thanks, or a
 * question about the assistant itself.
 */
export type Kind = (typeof KINDS)[number];

export interface Question {
  /** Names it across runs: source, kind and number. */
  id: string;
  source: string;
  kind: Kind;
  /** Earlier questions of the same conversation. */
  before: string[];
  ask: string;
  /** Where the answer stands: `page#anchor`; in any of them, or of `two` in both. Empty if nowhere. */
  sections: string[];
  /** A right answer holds every one of them, in any of its wordings. */
  facts: string[][];
  /** What was wrong when someone noticed it; such a question is a test, too. */
  known?: string;
}

/** As it is written: one wording, or several; a wording between slashes is a regular expression. */
type WrittenFact = string | string[];

interface Written {
  ask: string;
  before?: string | string[];
  in?: string | string[];
  facts?: WrittenFact[];
  known?: string;
}

type QuestionFile = Partial<Record<Kind, (string | Written)[]>>;

const FOLDER = new URL('./questions/', import.meta.url);

export async function readQuestions(source: string): Promise<Question[]> {
  const file = parse(await readFile(new URL(`${source}.yaml`, FOLDER), 'utf8')) as QuestionFile;
  return KINDS.flatMap((kind) =>
    (file[kind] ?? []).map((written, i): Question => {
      const {
        ask,
        before = [],
        in: where = [],
        facts = [],
        known,
      } = typeof written === 'string' ? { ask: written } : written;
      return {
        id: `${source}/${kind}/${i + 1}`,
        source,
        kind,
        before: [before].flat(),
        ask,
        sections: [where].flat(),
        facts: facts.map((fact) => [fact].flat().map(String)),
        ...(known !== undefined && { known }),
      };
    }),
  );
}

/** The sections of each page. */
export type Outline = ReadonlyMap<string, readonly Section[]>;

export const outlineOf = (pages: Pages): Outline => new Map([...pages].map(([path, html]) => [path, sectionsOf(html)]));

/** Splits `page#anchor`. */
export function place(section: string): { page: string; anchor: string } {
  const [page = '', anchor = ''] = section.split('#');
  return { page, anchor };
}

/** What is wrong with the questions, a sentence each: a fact that doesn't stand where it should, a section that is missing. */
export function problemsOf(questions: readonly Question[], outline: Outline): string[] {
  return questions.flatMap((question) =>
    problemsOfOne(question, outline).map((problem) => `${question.id}: ${problem}`),
  );
}

function problemsOfOne({ kind, before, sections, facts }: Question, outline: Outline): string[] {
  const needsFacts = kind === 'answerable' || kind === 'two' || kind === 'followUp';
  if (!needsFacts) return sections.length > 0 ? ['it is not answered, so it has no section'] : [];
  if (facts.length === 0 || sections.length === 0) return ['it has no facts or no section'];
  if (kind === 'followUp' && before.length === 0) return ['it follows nothing'];
  if (kind === 'two' && sections.length !== 2) return ['it needs two sections'];
  const texts = sections.map((section) => {
    const { page, anchor } = place(section);
    return textAt(outline.get(page) ?? [], anchor) ?? '';
  });
  const missing = sections.filter((_, i) => !texts[i]!.trim()).map((section) => `there is no ${section}`);
  if (missing.length > 0) return missing;
  const nowhere = facts.filter((fact) => !texts.some((text) => holds(text, fact)));
  const alone = kind === 'two' && texts.some((text) => facts.every((fact) => holds(text, fact)));
  return [
    ...nowhere.map((fact) => `no section holds ${fact.join(' or ')}`),
    ...(alone ? ['one section holds every fact'] : []),
  ];
}
