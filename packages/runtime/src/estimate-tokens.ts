/** Characters of one token in an alphabet that models know well. English prose has 4 to 5, code and numbers 3. */
const LATIN = 3;

/**
 * Estimates the tokens of a text, rather too many than too few: each model counts differently, and tables of tokens are
 * megabytes. A character outside the Latin alphabet counts as one token.
 */
export function estimateTokens(text: string): number {
  const other = text.match(/[\u0250-\u1fff\u2070-\u{10ffff}]/gu)?.length ?? 0;
  return Math.ceil((text.length - other) / LATIN) + other;
}
