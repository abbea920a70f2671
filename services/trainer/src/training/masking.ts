import { type IndexedChunk, textHash } from '@parley/corpus';
import { createAnalyzer } from '@parley/language';

/** A heading or a question of an FAQ, asked of the build that it stands in. */
export interface MaskedQuestion {
  readonly question: string;
  /** The chunks of its section, by their place in what was given. */
  readonly documents: readonly number[];
  /** The same chunks without the question above them. */
  readonly masked: readonly IndexedChunk[];
}

/** A heading with fewer content words asks nothing: "Introduction". */
const FEWEST_TERMS = 2;
/** The longest section that is masked: longer ones cost more to embed again. */
const MAX_CHUNKS = 3;
const LONGEST_QUESTION = 300;
/** Words of a number before a heading, such as `2.1` or `Q3.` */
const LONGEST_NUMBER = 8;

/**
 * The headings of sections and the questions of an FAQ that stand nowhere else above a text, in an order as good as random
 * that depends on their words alone. Nothing is left out for being similar to another.
 */
export function maskedQuestions(chunks: readonly IndexedChunk[], isFaq: boolean): MaskedQuestion[] {
  const sections = sectionsOf(chunks, isFaq);
  const above = new Map<string, Set<string>>();
  chunks.forEach(({ title, headings = [], source, section = 0 }) => {
    const place = placeOf(source, section, isFaq);
    for (const text of [title, ...headings].map(plain)) above.set(text, (above.get(text) ?? new Set()).add(place));
  });
  const titles = [...new Set(chunks.map(({ title }) => plain(title)))];
  const analyze = createAnalyzer();
  const standsAlone = (heading: string) => {
    const holding = titles.filter((title) => title.includes(plain(heading)));
    const places = new Set([plain(heading), ...holding].flatMap((text) => [...(above.get(text) ?? [])]));
    return places.size === 1;
  };
  const texts = new Map<string, number>();
  for (const documents of sections.values()) {
    const text = textOf(documents, chunks);
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  const found: MaskedQuestion[] = [];
  for (const documents of sections.values()) {
    const first = chunks[documents[0]!]!;
    const heading = isFaq ? first.title : first.headings?.at(-1);
    if (!heading || documents.length > MAX_CHUNKS || texts.get(textOf(documents, chunks))! > 1) continue;
    const question = withoutNumber(heading);
    if (question.length > LONGEST_QUESTION || new Set(analyze(question, first.language)).size < FEWEST_TERMS) continue;
    if (!standsAlone(heading)) continue;
    found.push({ question, documents, masked: documents.map((at) => withoutHeading(chunks[at]!, heading)) });
  }
  return found
    .map((each) => ({ each, order: textHash(each.question) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ each }) => each);
}

function sectionsOf(chunks: readonly IndexedChunk[], isFaq: boolean): Map<string, number[]> {
  const sections = new Map<string, number[]>();
  chunks.forEach(({ source, section = 0 }, i) => {
    const place = placeOf(source, section, isFaq);
    const documents = sections.get(place);
    if (documents) documents.push(i);
    else sections.set(place, [i]);
  });
  return sections;
}

const placeOf = (source: string, section: number, isFaq: boolean): string => (isFaq ? source : `${section} ${source}`);

const textOf = (documents: readonly number[], chunks: readonly IndexedChunk[]): string =>
  documents.map((at) => chunks[at]!.text).join('\n');

/** Neither the heading nor a title that has it. */
function withoutHeading(chunk: IndexedChunk, heading: string): IndexedChunk {
  const { title, headings = [] } = chunk;
  const rest = headings.filter((each) => plain(each) !== plain(heading));
  return { ...chunk, title: plain(title).includes(plain(heading)) ? '' : title, headings: rest };
}

const plain = (text: string): string => withoutNumber(text).toLowerCase();

function withoutNumber(heading: string): string {
  const words = heading.trim().split(/\s+/);
  const first = words.findIndex((word) => word.length > LONGEST_NUMBER || !/\p{N}|^[^\p{L}]*$/u.test(word));
  return words.slice(Math.max(0, first)).join(' ');
}
