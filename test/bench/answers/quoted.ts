import { normal } from './normal.ts';

/** How much of an answer its reader needs, and how much of what the reader needs it says; each 0 to 1. */
export interface Quoted {
  needed: number;
  said: number;
}

/** Words; a character each where the script has no spaces between them. */
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/** Compared word by word in their order, because tables and lists are marked up in more than one way. */
export function quotedOf(answer: string, needs: readonly string[]): Quoted {
  const [said, needed] = [tokensOf(answer), tokensOf(needs.join(' '))];
  const common = longestCommon(said, needed);
  return { needed: common / Math.max(1, sizeOf(said)), said: common / Math.max(1, sizeOf(needed)) };
}

const tokensOf = (text: string): string[] => normal(text).match(TOKEN) ?? [];
const sizeOf = (tokens: readonly string[]): number => tokens.reduce((size, { length }) => size + length, 0);

/** The characters of the longest common subsequence. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const row = [0];
    for (const [j, other] of b.entries())
      row.push(token === other ? above[j]! + token.length : Math.max(above[j + 1]!, row[j]!));
    above = row;
  }
  return above.at(-1)!;
}
