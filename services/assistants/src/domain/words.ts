const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from had has have he her ' +
    'his how i if in into is it its just may me more most my no not of on only or other our out she should so some ' +
    'such than that the their them then there these they this those to too up us was we were what when where which ' +
    'who whom why will with would you your'
  ).split(' '),
);
/** Cutting words short is a stemmer that needs no tables. */
const STEM = 6;

/** The content words of a text, shortened so that the forms of a word are one. */
export function contentWords(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/s$/, '').slice(0, STEM));
}
