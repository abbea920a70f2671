import { parseUrl } from '@parley/runtime/parse-url';
import { ROBOT } from './robots-rules.ts';

/** Requests of a page, or its server, to robots, beside the robots.txt. */
export interface RobotsTags {
  /** The page is not trained. */
  readonly noindex: boolean;
  /** Its links are not followed. */
  readonly nofollow: boolean;
}

/** The headers of a response, and where it came from in the end. */
export interface ResponseHead {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of those that were sent more than once, if there are any. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

/** Directives with a value: their name and colon are not those of a robot. */
const WITH_VALUE = /^(unavailable_after|max-snippet|max-image-preview|max-video-preview)$/;

export const NO_TAGS: RobotsTags = { noindex: false, nofollow: false };

export const both = (one: RobotsTags, other: RobotsTags): RobotsTags => ({
  noindex: one.noindex || other.noindex,
  nofollow: one.nofollow || other.nofollow,
});

/** Reads the content of a robots meta element: directives, separated by commas or blanks. */
export function tagsOf(content: string): RobotsTags {
  const directives = new Set(content.toLowerCase().split(/[\s,]+/));
  const isNone = directives.has('none');
  return { noindex: isNone || directives.has('noindex'), nofollow: isNone || directives.has('nofollow') };
}

/** Returns whether a robots meta element of this name is for us. */
export const isForUs = (name: string | undefined): boolean => /^(robots|parleybot)$/i.test(name?.trim() ?? '');

/**
 * Reads all `X-Robots-Tag` headers of a response. A robot's name and a colon make the directives after it in the same
 * header apply to that robot only.
 */
export function headerTags({ headers, repeated }: Pick<ResponseHead, 'headers' | 'repeated'>): RobotsTags {
  const values = repeated?.['x-robots-tag'] ?? [headers['x-robots-tag'] ?? ''];
  return values.map(tagsOfHeader).reduce(both, NO_TAGS);
}

function tagsOfHeader(value: string): RobotsTags {
  let tags = NO_TAGS;
  let isOurs = true;
  for (const part of value.split(',')) {
    const [, robot, directives] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part) ?? [undefined, undefined, part];
    const isRobot = robot !== undefined && !WITH_VALUE.test(robot.toLowerCase());
    if (isRobot) isOurs = robot.toLowerCase() === ROBOT.toLowerCase();
    if (isOurs && (isRobot || robot === undefined)) tags = both(tags, tagsOf(directives!));
  }
  return tags;
}

/** The address that a `Link` header declares as canonical, absolute. */
export function canonicalOfHeader({ headers, url }: Pick<ResponseHead, 'headers' | 'url'>): string | undefined {
  for (const [, address, parameters] of (headers['link'] ?? '').matchAll(/<([^<>]*)>([^<>]*)/g)) {
    const [, relations = ''] = /;\s*rel\s*=\s*("[^"]*"|[^\s;,]*)/i.exec(parameters!) ?? [];
    if (isCanonical(relations)) return parseUrl(address!, url)?.href;
  }
  return undefined;
}

/** Returns whether a list of relations has it. */
export const isCanonical = (relations: string): boolean =>
  relations
    .toLowerCase()
    .split(/[\s"']+/)
    .includes('canonical');
