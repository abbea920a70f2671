import type { Passage } from '../domain/cite.ts';
import { visible } from '../domain/markup.ts';

const MAX_WRITTEN = 20_000;
/** Unless the bracket follows a word: `matrix[i][j]`. */
const link = /(?<![\p{L}\p{N}_$\]})])\[([^[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/gu;
const image = /!\[[^[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^[\]]*\])/g;
const definition = /^ {0,3}\[[^[\]]*\]:.*$/gm;
const tag = /<\/?[a-z][^<>]*>/gi;
const autolink = /<([a-z][a-z0-9+.-]{0,30}:[^<>\s]*)>/gi;
/** Taking a link apart may leave a digit right before an address: `1https://`. */
const address = /(?<![a-z])(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.|(?:javascript|data|vbscript|mailto):)[^\s<>"')\]]+/gi;

/**
 * The model's text without links, images and addresses that it invented: they could leak the conversation to a
 * stranger. The words of links stay; so does text that a passage has word for word, which becomes plain text where it
 * is cited.
 */
export function plainText(written: string, passages: readonly Pick<Passage, 'text' | 'url'>[]): string {
  const known = passages.flatMap(({ text, url }) => [visible(text), url]);
  const isKnown = (found: string) => known.some((text) => text.includes(found));
  return unwrap(visible(written.slice(0, MAX_WRITTEN)), isKnown)
    .replace(address, (found) => {
      const bare = found.replace(/[.,;:!?]+$/, '');
      return isKnown(bare) ? found : found.slice(bare.length);
    })
    .replace(/[ \t]+/g, ' ')
    .replace(/ +([.,;:!?)])/g, '$1')
    .trim();
}

/** Repeats until nothing changes: taking one link apart may assemble another. */
function unwrap(text: string, isKnown: (found: string) => boolean): string {
  const unlessKnown = (found: string, words: string) => (isKnown(found) ? found : words);
  for (let round = 0, before = ''; before !== text && round < 10; round++) {
    before = text;
    text = text
      .replace(image, (found) => unlessKnown(found, ''))
      .replace(link, unlessKnown)
      .replace(definition, (found) => unlessKnown(found, ''))
      .replace(autolink, '$1')
      .replace(tag, (found) => unlessKnown(found, ''));
  }
  return text;
}
