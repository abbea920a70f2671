import type { Features } from './features.ts';

/*
 * A logistic model, fitted with L2 regularisation on questions asked of three manuals (Debian's FAQ, Borg, Parley's
 * handbook), with MiniLM: 78 that they answer, the same with the answering sections left out, 112 of the same field that they
 * don't answer, and 218 about something else. Of each question, the best of six passages counted.
 *
 * On four other manuals (Python, git, SQLite, fetchmail; 636 questions) it refuses 7 % of the answerable questions, and
 * answers about a third of those of the same field and 1 % of those of a foreign one. Were 10 % refused, each feature has these false
 * answers of the same field to its credit: with all 32 %, without `missingNames` 50 %, `unknownWords` 42 %, `prominence` 40 %,
 * `above` 36 %, `length` 36 %, `coverage` 34 %; without `similarity` 26 %, but 39 % instead of 28 % of the questions about other
 * software. Similarity and coverage alone: 72 %. These gained nothing: words in one sentence, words of the whole section, the
 * similarity of the best sentence and, on two of the three manuals, a cross-encoder (ms-marco-MiniLM-L-12). The features and
 * the threshold were chosen with these figures in view, so they flatter a little; the coefficients were not.
 */
const SIMILARITY = 1.7;
/** Together with similarity: among passages that are all far, the nearest one says nothing. */
const PROMINENCE = 18;
const ABOVE = 1;
const COVERAGE = 1.3;
const MISSING_NAMES = -2.3;
const UNKNOWN_WORDS = -1.5;
/** Not fitted, since hardly any question of those has a quantity: what says nothing in its unit hardly answers it. */
const MISSING_UNIT = -1.5;
const LENGTH = 0.1;
/** Evidence of 0.5 is enough to answer, see the figures above. */
const ENOUGH = 1.6;

/** Fitted without vectors. Words alone tell less: of the questions of a foreign field, 4 % are answered. */
const WORDS = { above: 0.4, coverage: 2.2, missingNames: -2, unknownWords: -2.6, enough: -0.2 };

/** How likely a passage answers a question, 0 to 1. More similarity or more of its words never lower it. */
export function evidenceOf(features: Features): number {
  const { similarity, prominence = 0, above, coverage, missingNames, unknownWords, length } = features;
  const missingUnit = features.missingUnit ? MISSING_UNIT : 0;
  if (similarity === undefined)
    return logistic(
      WORDS.above * above +
        WORDS.coverage * coverage +
        WORDS.missingNames * missingNames +
        WORDS.unknownWords * unknownWords +
        missingUnit -
        WORDS.enough,
    );
  return logistic(
    SIMILARITY * similarity +
      PROMINENCE * Math.max(0, similarity) * Math.max(0, prominence) +
      ABOVE * above +
      COVERAGE * coverage +
      MISSING_NAMES * missingNames +
      UNKNOWN_WORDS * unknownWords +
      missingUnit +
      LENGTH * length -
      ENOUGH,
  );
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
