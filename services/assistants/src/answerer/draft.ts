import { createSentenceStream, type Facts, plainFacts } from '@parley/language';
import { type CitedAnswer, createCitations } from '../domain/cite.ts';
import { plainBody, stripInvisible } from '../domain/markup.ts';
import type { AnswerSink } from './answerer.ts';
import type { Material } from './material.ts';

/** `[1]`, `[1, 2]`, `[1-3]`, `【1】`, in any digits. */
const MARK = String.raw`(?:\[ ?\p{Nd}{1,3}(?: ?[,;、،–-] ?\p{Nd}{1,3})* ?\]|［ ?\p{Nd}{1,3} ?］|【 ?\p{Nd}{1,3}(?:†[^】\n]{0,40})? ?】)`;
const mark = new RegExp(MARK, 'gu');
/** The word for an answer that is not in the passages, as models write it. */
const declining = /\bNOT\\?[_ ]IN\\?[_ ]KNOWLEDGE\b/;
/** Introduces what follows. */
const announcing = /[:：]["'”’»)*_]*$/u;
/** Stand for the marks of a sentence while it becomes plain text. */
const FIRST_PLACE = 0xe000;
const place = /[\ue000-\uf8ff]/g;
const MAX_MARKS = 200;
/** An answer with more that may not be shown is not worth reading on. */
const MAX_WITHHELD = 20;
const MAX_RANGE = 9;

/** A sentence as written, with the passages that its marks name, by position. */
interface Sentence {
  /** The space before it. */
  lead: string;
  /** Plain text with a place for each group of marks. */
  body: string;
  groups: readonly (readonly number[])[];
  facts: Facts;
}

/** An answer in the making. */
export interface Draft {
  /** Takes what the model writes next. */
  push(text: string): void;
  /** Takes what is left, once the model has finished. */
  end(): void;
  /** Returns whether the model says that the passages have no answer. */
  declined(): boolean;
  /** Undefined if nothing can be shown with its source. */
  answer(): CitedAnswer | undefined;
  /** All that the model wrote. */
  written(): string;
  /** The sentences that may not be shown. */
  withheld: readonly string[];
}

/**
 * Checks an answer sentence by sentence, as the model writes it. A mark that names no passage is dropped; a sentence with a
 * hard fact that is not in the passages it cites, in the conversation or derived from them is withheld. Nothing is released
 * before the first sentence with a source, then each sentence at once.
 */
export function createDraft(material: Material, sink?: AnswerSink): Draft {
  const citations = createCitations();
  const cited = new Set<number>();
  const stated: Facts[] = [];
  const withheld: string[] = [];
  let held: Sentence[] = [];
  let [text, written] = ['', ''];
  let declined = false;
  const sentences = createSentenceStream(MARK, take);

  function take(one: string) {
    if (declined || withheld.length >= MAX_WITHHELD) return;
    if (declining.test(one)) {
      declined = text === '';
      return;
    }
    const sentence = read(one, material);
    if (sentence.groups.length === 0 && sentence.body === '') return;
    const named = sentence.groups.flat();
    if (isListing(sentence, named, material)) return;
    const checked = withSupport(sentence, named);
    if (!checked) withheld.push(one);
    else if (named.length === 0 && (text === '' || announcing.test(sentence.body))) held.push(sentence);
    else release(checked);
  }

  /** The sentence with the mark of its passage where only that has its facts; undefined if it is not supported. */
  function withSupport(sentence: Sentence, named: readonly number[]): Sentence | undefined {
    const { facts, body } = sentence;
    if (material.supports(facts, named.length > 0 ? named : cited, stated)) return sentence;
    const source = material.sourceOf(body.replace(place, ''), facts, stated, named.length > 0);
    return source === undefined ? undefined : withMark(sentence, source);
  }

  function release(last: Sentence | undefined) {
    const named = last?.groups.flat() ?? [];
    const before = held.flatMap((sentence) => {
      const isKnown = material.supports(sentence.facts, [...cited, ...named], stated);
      return isKnown ? [sentence] : (withSupport(sentence, []) ?? []);
    });
    held = [];
    for (const sentence of [...before, ...(last ? [last] : [])]) send(sentence);
  }

  function send({ lead, body, groups, facts }: Sentence) {
    const known = citations.sources().length;
    const marks = groups.map((group) => [
      ...new Set(group.map((at) => citations.mark(material.shown[at]!.passages[0]!))),
    ]);
    const written = body.replace(place, (found) => marks[found.charCodeAt(0) - FIRST_PLACE]!.join(''));
    const part = `${text === '' ? '' : lead}${written}`;
    for (const at of groups.flat()) cited.add(at);
    stated.push(facts);
    text += part;
    const sources = citations.sources();
    if (sources.length > known) sink?.sources(sources);
    sink?.text(part);
  }

  return {
    push(part) {
      written += part;
      sentences.push(part);
    },
    written: () => written,
    end() {
      sentences.end();
      if (declined || text !== '') return;
      held = held.map((sentence) => {
        const source = material.sourceOf(sentence.body, sentence.facts, stated);
        return source === undefined ? sentence : withMark(sentence, source);
      });
      if (held.some(({ groups }) => groups.length > 0)) {
        const all = held;
        held = [];
        for (const sentence of all)
          if (material.supports(sentence.facts, [...cited, ...sentence.groups.flat()], stated)) send(sentence);
      }
    },
    declined: () => declined,
    answer: () => (text === '' ? undefined : citations.answer(text, 'high')),
    withheld,
  };
}

const withMark = (sentence: Sentence, source: number): Sentence => ({
  ...sentence,
  body: `${sentence.body} ${String.fromCharCode(FIRST_PLACE + sentence.groups.length)}`,
  groups: [...sentence.groups, [source]],
});

function read(written: string, material: Material): Sentence {
  const groups: number[][] = [];
  const whole = stripInvisible(written).replace(place, '');
  const marked = whole.replace(mark, (found, at: number) => {
    const word = /(?<![\w$])[\w$]*$/.exec(whole.slice(Math.max(0, at - 40), at))![0];
    // An index, as in `list[1]`.
    if (word !== '' && material.has(word + found)) return found;
    const named = numbersOf(found).filter((n) => n >= 1 && n <= material.shown.length);
    if (named.length === 0 || groups.length === MAX_MARKS) return '\uf8ff';
    groups.push(named.map((n) => n - 1));
    return String.fromCharCode(FIRST_PLACE + groups.length - 1);
  });
  const [lead] = /^\s*/.exec(marked)!;
  const body = plainBody(marked.slice(lead.length).replace(/(?<![ \t])[ \t]*\uf8ff/g, ''))
    .replace(/(?<=\w)(?=[\ue000-\uf8ff])/g, ' ')
    .replace(/(?<=[\ue000-\uf8ff])(?=[(:[])/g, ' ');
  const bare = (text: string) => text.replace(place, ' ');
  // What is taken apart may become an address; what is code is known by its fences.
  return {
    lead: lead.replace(/\n{3,}/g, '\n\n'),
    body,
    groups,
    facts: material.factsIn(`${bare(marked)}\n${bare(body)}`),
  };
}

/** The numbers of a mark; those of a range, too. */
const numbersOf = (found: string): number[] =>
  plainFacts(found.replace(/†.*/u, ''))
    .split(/[,;、،]/u)
    .flatMap((part) => {
      const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number);
      return Array.from({ length: Math.min(Math.max(1, to - from + 1), MAX_RANGE) }, (_, i) => from + i);
    });

/** Returns whether it only names a source, as in a list of them. */
function isListing({ body }: Sentence, named: readonly number[], { shown, wordsOf }: Material): boolean {
  if (named.length === 0 || !/^[\s*\d.-]*[\ue000-\uf8ff]/u.test(body)) return false;
  const words = wordsOf(body.replace(place, ' '));
  const known = new Set(named.flatMap((at) => wordsOf(`${shown[at]!.under} ${shown[at]!.passages[0]!.url}`)));
  return words.length > 0 && words.every((word) => known.has(word));
}
