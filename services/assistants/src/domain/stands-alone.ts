import { contentWords } from './words.ts';

/** Words that point back at what was said, and beginnings that continue it. English, German, French, Spanish, Persian, Arabic. */
const POINTING = new Set(
  (
    'it its that this those these they them their he him his she her one ones there same other others former latter else ' +
    'er sie es ihn ihm ihr das dies diese dieser dieses dieselbe dort davon dafür damit dazu darin daran andere anderen ' +
    'il elle ils elles cela ça celui celle ceux y en autre autres ' +
    'él ella ellos ellas eso esto esa este ese lo la los las otro otra ' +
    'آن این آنها اینها او آنجا اینجا دیگر هو هي هذا هذه ذلك تلك هم'
  ).split(' '),
);
const CONTINUING = new Set(
  'and or but so then und oder aber dann et ou mais alors y o pero entonces و یا ولی اما پس أو لكن'.split(' '),
);
const ELLIPSIS =
  /^(?:what|how|why)\s+(?:about|else|so|not|then)\b|^(?:was|wie)\s+ist\s+mit\b|^(?:qué|y)\s+(?:hay\s+de|tal)\b/iu;

/** With at least this many content words of its own, a question names its subject. */
const NAMES_ITS_SUBJECT = 5;
/** With fewer than this, it does not. */
const TOO_FEW = 2;

/**
 * Whether a question can be understood without what was said before: it has enough content words, and neither points
 * back nor continues a sentence. A guess by words, so a caller must be able to live with either answer.
 */
export function standsAlone(question: string): boolean {
  const words =
    question
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const own = new Set(contentWords(words.filter((word) => !POINTING.has(word)).join(' '))).size;
  if (own < TOO_FEW) return false;
  if (own >= NAMES_ITS_SUBJECT) return true;
  const pointsBack = words.some((word) => POINTING.has(word));
  return !pointsBack && !CONTINUING.has(words[0] ?? '') && !ELLIPSIS.test(question.trim());
}
