import { writeFile } from 'node:fs/promises';
import { type Table, UsageError } from '../table.ts';
import { type Asker, createAsker } from './ask.ts';
import { subsetOf } from './bootstrap.ts';
import { barePages, barePath, FAQ_SOURCES, type FaqEntry, faqOf } from './faq-pages.ts';
import type { Options } from './options.ts';
import { readQuestions } from './questions.ts';
import { share } from './report.ts';
import { readPages } from './site.ts';
import { SOURCES, type SourceDefinition } from './sources.ts';
import { openTrained } from './trained.ts';

/** own: from the FAQ itself. other: from another source's FAQ. foreign: from another field altogether. */
type Origin = 'own' | 'other' | 'foreign';

interface BareQuestion {
  origin: Origin;
  ask: string;
  /** Where its answer is; absent if nowhere. */
  page?: string;
}

interface BareResult extends BareQuestion {
  source: string;
  /** Paths of the pages that were cited. */
  cited: string[];
  message: string;
}

interface Faq {
  source: SourceDefinition;
  entries: FaqEntry[];
}

interface Measure {
  name: string;
  origin: Origin;
  of: (result: BareResult) => boolean;
  floor?: number;
  atMost?: true;
}

const refused = ({ cited }: BareResult) => cited.length === 0;

const MEASURES: readonly Measure[] = [
  { name: 'the right page is cited', origin: 'own', of: ({ cited, page }) => cited.includes(page!), floor: 0.75 },
  { name: 'the right page is cited first', origin: 'own', of: ({ cited, page }) => cited[0] === page },
  { name: 'refused', origin: 'own', of: refused, floor: 0.05, atMost: true },
  { name: "another FAQ's questions: refused", origin: 'other', of: refused, floor: 0.9 },
  { name: 'foreign field: refused', origin: 'foreign', of: refused, floor: 0.9 },
];

/** So many questions of the others' are put to each. */
const OTHERS = 15;

/**
 * Asks the questions of real FAQs of chatbots that know only the answers, each a page by itself. Ranking can't use the
 * question's words here, so this shows what meaning alone finds, and what it takes for an answer that is none.
 *
 * @throws UsageError if none of the chosen sources has an FAQ
 */
export async function askBare(options: Options): Promise<Table> {
  const faqs = await readFaqs(options);
  const names = new Map(faqs.map((faq) => [faq, { ...faq.source, name: `${faq.source.name}-bare` }]));
  const material = new Map(faqs.map((faq) => [names.get(faq)!, barePages(faq.source.name, faq.entries)]));
  await using trained = await openTrained(material, options);
  const asker = createAsker(trained.system);
  const results: BareResult[] = [];
  for (const faq of faqs) {
    const chatbot = trained.chatbots.get(names.get(faq)!.name)!;
    const questions = chosen([...ownOf(faq), ...othersOf(faq, faqs), ...(await foreignOnes())], options);
    for (const question of questions)
      results.push({ ...question, source: faq.source.name, ...(await asked(asker, question, chatbot)) });
  }
  if (options.print) for (const result of results.filter(isWrong)) process.stdout.write(`${printed(result)}\n`);
  if (options.json) await writeFile(options.json, JSON.stringify(results, null, 2));
  return report(results);
}

async function readFaqs({ sources }: Options): Promise<Faq[]> {
  const chosen = SOURCES.filter(({ name }) => sources.includes(name) && FAQ_SOURCES.includes(name));
  if (chosen.length === 0) throw new UsageError(`--bare needs a source with an FAQ: ${FAQ_SOURCES.join(', ')}.`);
  return Promise.all(chosen.map(async (source) => ({ source, entries: faqOf(source.name, await readPages(source)) })));
}

const ownOf = ({ entries }: Faq): BareQuestion[] =>
  entries.map(({ question }, i) => ({ origin: 'own', ask: question, page: barePath(i) }));

function othersOf(faq: Faq, faqs: readonly Faq[]): BareQuestion[] {
  const others = faqs.filter((each) => each !== faq).flatMap(({ entries }) => entries);
  return subsetOf(others, OTHERS).map(({ question }) => ({ origin: 'other', ask: question }));
}

async function foreignOnes(): Promise<BareQuestion[]> {
  const english = SOURCES.filter(({ language }) => language === 'en');
  const questions = await Promise.all(english.map(({ name }) => readQuestions(name)));
  const foreign = questions.flat().filter(({ kind }) => kind === 'foreign');
  return foreign.map(({ ask }) => ({ origin: 'foreign', ask }));
}

const chosen = (questions: BareQuestion[], { find, sample }: Options): BareQuestion[] => {
  const wanted = questions.filter(({ ask }) => !find || ask.includes(find));
  return sample === undefined ? wanted : subsetOf(wanted, sample);
};

async function asked(asker: Asker, { ask }: BareQuestion, chatbot: string) {
  const { message, sources } = await asker.ask({ before: [], ask }, chatbot);
  return { message, cited: sources.map(({ url }) => new URL(url).pathname.slice(1)) };
}

const isWrong = (result: BareResult): boolean =>
  result.origin === 'own' ? !result.cited.includes(result.page!) : !refused(result);

const printed = ({ source, origin, ask, page, message }: BareResult): string =>
  [
    `=== ${source}, ${origin}: ${ask}${page ? ` (${page})` : ''}`,
    ...message.split('\n').map((line) => `  > ${line}`),
  ].join('\n');

function report(results: readonly BareResult[]): Table {
  const sources = [...new Set(results.map(({ source }) => source))];
  const cell = (measure: Measure, some: readonly BareResult[]) =>
    share(some.filter(({ origin }) => origin === measure.origin).map(measure.of));
  const missed = MEASURES.filter((measure) => !reaches(measure, results)).map(({ name }) => name);
  return {
    about: `${results.length} questions of FAQs whose answers were trained as pages by themselves, without their questions.`,
    head: ['', ...sources, 'all', 'floor'],
    rows: MEASURES.map((measure) => [
      measure.name,
      ...sources.map((source) =>
        cell(
          measure,
          results.filter((result) => result.source === source),
        ),
      ),
      cell(measure, results),
      measure.floor?.toFixed(2) ?? '',
    ]),
    bound: {
      says: `every share must reach its floor; ${missed.length === 0 ? 'all do' : `not yet: ${missed.join('; ')}`}.`,
      met: missed.length === 0,
    },
  };
}

function reaches({ origin, of, floor, atMost }: Measure, results: readonly BareResult[]): boolean {
  const values = results.filter((result) => result.origin === origin).map(of);
  if (floor === undefined || values.length === 0) return true;
  const mean = values.filter(Boolean).length / values.length;
  return atMost ? mean <= floor : mean >= floor;
}
