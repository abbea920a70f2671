import type { JobInput } from '../jobs.ts';

const origin = 'http://example.org';

export const pageOf = (html: string): JobInput<'page'> => ({ body: Buffer.from(html), url: `${origin}/`, origin });

/** Keeps an HTML parser busy for minutes: it compares each attribute with all previous ones. */
export const MANY_ATTRIBUTES = `<a ${Array.from({ length: 200_000 }, (_, i) => `a${i}`).join(' ')}>`;

/** Expands to 31,000 rules for each of 18,000 robots, more than any memory holds. */
export const MANY_ROBOTS = 'User-agent: a\n'.repeat(18_000) + 'Allow: /\n'.repeat(28_000);

/** Keeps a matcher busy: each wildcard can match any part of a path of one repeated letter. */
export const MANY_WILDCARDS = `User-agent: *\n${`Disallow: /${'*a'.repeat(1_000)}b\n`.repeat(250)}`;
