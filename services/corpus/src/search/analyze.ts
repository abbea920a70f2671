import stem from 'wink-porter2-stemmer';

/** Words that say nothing of what a text is about, questions' words among them. */
const STOP_WORDS = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can cannot could did do does doing don down during each either else ever every few for from further had has
  have having he hello her here hers herself hi him himself his how i if in into is isn it its itself just ll let may me
  might more most must my myself neither no nor not now of off on once only or other ought our ours ourselves out over
  own per please re s same shall she should so some such t tell than thank thanks that the their theirs them themselves
  then there these they this those through to too under until up upon us ve very was we were what when where whether
  which while who whom whose why will with without would you your yours yourself yourselves d m`.split(/\s+/),
);

/** Scripts written without spaces come as pairs of characters, the usual stand-in for their words. */
const TOKEN =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)|[\p{L}\p{N}\p{M}_]+/gu;
const ENGLISH = /^[a-z]{3,}$/;
const LONGEST_TOKEN = 64; // longer ones are encoded data, not words
const MEMORY = 50_000;

/** Text to terms, in order and with repetitions. */
export type Analyzer = (text: string) => string[];

/** An analyzer remembers the words it has seen: stemming is its cost, and a corpus repeats itself. */
export function createAnalyzer(): Analyzer {
  const terms = new Map<string, string>();

  function term(word: string): string {
    const known = terms.get(word);
    if (known !== undefined) return known;
    const made = termOf(word);
    if (terms.size < MEMORY) terms.set(word, made);
    return made;
  }

  return (text) => {
    const found: string[] = [];
    for (const [token, unspaced] of text.normalize('NFKC').toLowerCase().matchAll(TOKEN)) {
      if (unspaced) found.push(...pairs(unspaced));
      else if (term(token)) found.push(term(token));
    }
    return found;
  };
}

/** Empty for what is not a content word. */
function termOf(word: string): string {
  if (STOP_WORDS.has(word) || word.length > LONGEST_TOKEN) return '';
  return ENGLISH.test(word) ? stem(word) : word;
}

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, i) => characters[i]! + character);
}
