import type { Passage } from '../domain/cite.ts';

const image = /!\[([^\]]*)\]\s*(\([^)]*\)|\[[^\]]*\])/g;
const link = /\[([^\]]*)\]\s*(\([^)]*\)|\[[^\]]*\])/g;
const definition = /^ {0,3}\[[^\]]*\]:.*$/gm;
const tag = /<\/?[a-z][^>]*>/gi;
const autolink = /<([a-z][a-z0-9+.-]*:[^>\s]*)>/gi;
const address = /(?:\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|\b(?:javascript|data|vbscript|mailto):)[^\s<>"')\]]+/gi;

/**
 * What a model wrote, without links and images of its making: they could carry what was said to a stranger. Of links
 * the words stay; of addresses those that the passages have.
 */
export function plainText(written: string, passages: readonly Passage[]): string {
  const known = passages.flatMap(({ text, url }) => [text, url]);
  const unlinked = unwrap(written);
  return unlinked
    .replace(address, (found) => {
      const bare = found.replace(/[.,;:!?]+$/, '');
      return known.some((text) => text.includes(bare)) ? found : found.slice(bare.length);
    })
    .replace(/[ \t]+/g, ' ')
    .replace(/ +([.,;:!?)])/g, '$1')
    .trim();
}

/** Until nothing changes: taking one link apart may put another together. */
function unwrap(text: string): string {
  for (let round = 0, before = ''; before !== text && round < 10; round++) {
    before = text;
    text = text.replace(image, '').replace(link, '$1').replace(definition, '').replace(autolink, '$1').replace(tag, '');
  }
  return text;
}
