import { type AskedTerms, askedTerms } from './question.ts';

/** A question as it is searched. */
export interface Asked {
  /** What is embedded: the question, after what it refers to. */
  readonly searched: string;
  readonly question: string;
  /** What it refers to: earlier questions, or their content words; oldest first. */
  readonly earlier: readonly string[];
}

/** A question that is searched as it is. */
export const alone = (question: string): Asked => ({ searched: question, question, earlier: [] });

/** Earlier messages that count, and characters of each. */
const MAX_MESSAGES = 10;
const MAX_MESSAGE = 2_000;
/** With more content words of its own, a question with a pronoun stands alone; or with a demonstrative. */
const FEW = 5;
const VERY_FEW = 2;
/** With as many content words before it, a pronoun stands for something in the question itself. */
const ANTECEDENT = 2;
/** A question that a follow-up refers to is searched whole up to this length, beyond it by its content words. */
const WHOLE = 300;
/** Content words that are taken from earlier questions. */
const MAX_WORDS = 24;
const words = (list: string) => `(?:${list.trim().replace(/\s+/g, '|').replaceAll('_', ' ')})`;
const whole = (list: string) => `(?<![\\p{L}\\p{M}\\p{N}_'’-])${words(list)}(?![\\p{L}\\p{M}\\p{N}_'’-])`;

/** How a question begins that goes on from another one. */
const GOES_ON = new RegExp(
  `^[\\s"'“¿(]*${words(`
    and or but so then also what_about how_about what_if and_what why_not what_else anything_else like_what such_as instead
    und oder aber was_ist_mit wie_ist_es_mit warum_nicht et_si? et ou mais pourquoi_pas y_si? y pero por_qué_no e_se? e ma
    и а но а_если و اما پس ولی`)}(?![\\p{L}\\p{M}\\p{N}_])`,
  'iu',
);
/** Words that stand for something said before. */
const REFERS = new RegExp(
  whole(`
    it its itself they them their theirs he him she this_one that_one these_ones those_ones the_other_one the_others
    which_one which_ones there_one of_one another_one the_same_one the_first_one the_second_one the_latter the_former both_of neither instead otherwise do_this do_that does_this does_that
    did_that is_that is_this was_that are_those about_that about_this of_that of_this for_that for_this with_that with_this
    without_that after_that after_this before_that like_that to_that to_this from_that than_that by_that in_that_case
    on_that why_that how_that can_that can_this will_that will_this would_that
    dafür damit davon dazu daran darauf darin dabei dagegen daraus darüber deren
    dessen stattdessen das_auch geht_das ist_das kann_das macht_das heißt_das kostet_das es_auch er_auch ihn
    cela ça celui-ci celle-ci ceux-ci celui-là celle-là eso esto ello
    questo quello ciò это этого он она оно они его её их им ним них آن این آنها اینها`),
  'iu',
);
/** A demonstrative at the end of a sentence: "Why is that?" */
const ENDS_WITH = new RegExp(
  `${whole('this that these those so one ones the_same there es das lo')}\\s*[?.!؟]*\\s*$`,
  'iu',
);
/** Demonstratives that more often introduce what they stand for: "all those files in the archive". */
const POINTS = new RegExp(
  whole(
    'this that these those dies diese dieser dieses diesem diesen jene ce cette ces este esta estos estas этот эта эти',
  ),
  'iu',
);
/** A pronoun that is the subject of a question stands for nothing in it: "How much disk space does it need?" */
const SUBJECT = new RegExp(
  `^[^,;.:]*${whole(`
    does_it do_they is_it are_they was_it were_they will_it will_they can_it can_they has_it have_they should_it
    muss_er kann_er darf_er wird_er hat_er ist_er soll_er`)}`,
  'iu',
);
/** Words with a meaning of their own that say nothing about a subject. */
const LIGHT = new RegExp(
  `^${words(`
    get gets got getting give gives show shows tell tells use uses using need needs make makes let lets happen happens happened
    want example examples people thing things way ways rid find change lose
    zeigen zeig geben gib brauche braucht brauchen nutzen verwenden machen beispiel lange dauert leute sache`)}$`,
  'iu',
);
/** The pronoun stands for nothing said before in these. */
const EMPTY = new RegExp(
  `${words(`
    is_it is_it_true_that was_it does_it does_it_matter would_it_be is_there it_is it_was make_it make_sure_it`)} ` +
    `(?:possible|impossible|true|safe|ok|okay|necessary|allowed|legal|better|worth|recommended|advisable|good|bad|hard|easy|` +
    `difficult|normal|important|required|matter|take|make sense|mean|also possible|still possible)(?: (?:to|that|for|if|when|a|an|the)(?![\\p{L}]))?`,
  'giu',
);
/** "What is dpkg?" asks for a definition: its one word is enough. */
const DEFINITION =
  /^\W*(?:what(?:'s| is| are| does)|who(?:'s| is| are)|define|explain|was (?:ist|sind|bedeutet)|wer (?:ist|sind)|qu'est-ce que?|qué es|что такое)(?![\p{L}])/iu;

/**
 * Joins a question that can't be understood alone with the earlier question that it refers to: one without content words,
 * one that goes on from another ("and how much..."), or one with a pronoun and few content words. Any other is searched
 * as it is.
 *
 * @param context what the asker said before, oldest first.
 */
export function resolveFollowUp(question: string, context: readonly string[]): Asked {
  const earlier: string[] = [];
  const messages = context.slice(-MAX_MESSAGES).map((message) => message.slice(0, MAX_MESSAGE));
  let room = MAX_WORDS;
  for (let isOpen = !standsAlone(question, askedTerms(question)); isOpen && room > 0 && messages.length > 0; ) {
    const message = messages.pop()!;
    const said = askedTerms(message);
    if (said.size === 0) continue;
    const isShort = message.length <= WHOLE && said.size <= room;
    earlier.unshift(isShort ? message.trim() : wordsOf(said, room));
    room -= said.size;
    isOpen = !standsAlone(message, said);
  }
  return { searched: [...earlier, question].join('\n'), question, earlier };
}

const wordsOf = (terms: AskedTerms, limit: number): string =>
  [...terms.values()]
    .slice(0, limit)
    .map(({ written }) => written)
    .join(' ');

function standsAlone(text: string, terms: AskedTerms): boolean {
  if (terms.size === 0) return false;
  if (terms.size > FEW) return true;
  if (subjects(terms) === 0) return false;
  if (GOES_ON.test(text)) return false;
  const plain = text.replace(EMPTY, ' ');
  if (SUBJECT.test(plain)) return false;
  const pronoun = REFERS.exec(plain) ?? ENDS_WITH.exec(plain);
  if (pronoun && subjects(askedTerms(plain.slice(0, pronoun.index))) < ANTECEDENT) return false;
  if (terms.size <= VERY_FEW && POINTS.test(plain)) return false;
  return terms.size > 1 || [...terms.values()][0]!.isName || DEFINITION.test(text);
}

/** The number of words that may be what a question is about. */
const subjects = (terms: AskedTerms): number =>
  [...terms.values()].filter(({ written }) => !LIGHT.test(written)).length;
