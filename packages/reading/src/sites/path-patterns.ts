/** Which pages of a website to train, by their `page_url`. */
export interface PathPatterns {
  /** Empty: all. */
  readonly include: readonly string[];
  /** Take precedence over `include`. */
  readonly exclude: readonly string[];
}

/**
 * Returns whether patterns choose a page. A pattern means what it means in robots.txt (RFC 9309): the beginning of a `page_url`;
 * `*` stands for any characters, also `/`, and a `$` at its end for the end of the `page_url`.
 *
 * Takes time linear in the length of the `page_url`, whatever the pattern: the texts between wildcards are looked for from
 * left to right, each after the end of the one before, and never again.
 */
export function pageChooser({ include, exclude }: PathPatterns): (pageUrl: string) => boolean {
  const included = include.map(matcher);
  const excluded = exclude.map(matcher);
  return (pageUrl) => {
    const path = comparable(pageUrl);
    const matches = (isMatch: Matcher) => isMatch(path);
    return (included.length === 0 || included.some(matches)) && !excluded.some(matches);
  };
}

type Matcher = (path: string) => boolean;

function matcher(pattern: string): Matcher {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...rest] = comparable(isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const last = isWhole ? rest.pop() : '';
  return (path) => {
    if (!path.startsWith(first)) return false;
    let end = first.length;
    for (const part of rest) {
      const at = path.indexOf(part, end);
      if (at < 0) return false;
      end = at + part.length;
    }
    if (last === undefined) return path.length === end;
    return path.length - last.length >= end && path.endsWith(last);
  };
}

/** `/café`, `/caf%c3%a9` and `/caf%C3%A9` are the same path. */
const comparable = (text: string): string =>
  encodeURI(text)
    .replaceAll('%25', '%')
    .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());
