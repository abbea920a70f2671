import { normal } from './normal.ts';
import { place, type Question } from './questions.ts';
import { holds } from './score.ts';
import { type Outline, outlineOf, textAt } from './sections.ts';
import type { Ground } from './sites.ts';

/** Returns the faults of a site's questions, a sentence each. Their scores would mean nothing. */
export function problemsOf({ pages, questions }: Pick<Ground, 'pages' | 'questions'>): string[] {
  const outline = outlineOf(pages);
  return questions.flatMap((question) =>
    problemsOfOne(question, outline).map((problem) => `${question.id}: ${problem}`),
  );
}

function problemsOfOne({ kind, ask, sections, facts, needs }: Question, outline: Outline): string[] {
  if (typeof ask !== 'string' || ask.trim() === '') return ['it asks nothing'];
  if (kind === 'near') return [];
  if (facts.length === 0 || sections.length === 0) return ['it has no facts or no section'];
  const textOf = ({ page, anchor }: ReturnType<typeof place>) => textAt(outline.get(page) ?? [], anchor) ?? '';
  const texts = sections.map((section) => textOf(place(section)));
  const missing = sections.filter((_, i) => !texts[i]!.trim()).map((section) => `there is no ${section}`);
  if (missing.length > 0) return missing;
  const lacking = texts.flatMap((text, i) =>
    facts.filter((fact) => !holds(text, fact)).map((fact) => `${sections[i]} doesn't hold ${fact.join(' or ')}`),
  );
  const pages = sections.map((section) => cells(textOf({ ...place(section), anchor: '' })));
  const nowhere = needs.filter((need) => !pages.some((text) => text.includes(cells(need))));
  return [...lacking, ...nowhere.map((need) => `no page has ${JSON.stringify(need)}`)];
}

/** The cells of a row are written with a line between them, or with none. */
const cells = (text: string): string =>
  normal(text)
    .replace(/[\s|]+/g, ' ')
    .trim();
