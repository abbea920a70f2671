/** Joiners, vowel signs and the elongation of Arabic script, which writers leave out at will. */
const optional = /[\u0640\u064b-\u0652\u0670\u200c\u200d]/g;
/** Letters that keyboards write differently. */
const LETTERS: Readonly<Record<string, string>> = { ي: 'ی', ى: 'ی', ك: 'ک', ة: 'ه', أ: 'ا', إ: 'ا', آ: 'ا' };

/** A text in lower case and without differences of spelling that mean nothing, to compare words. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(optional, '')
    .replace(/[يىكةأإآ]/g, (letter) => LETTERS[letter]!);
