import { invalidArgument } from '@parley/runtime';
import { parseUrl } from '@parley/runtime/parse-url';
import { requiredText } from '@parley/runtime/text';

const MAX_ADDRESS = 2_048;

const ID = /^[A-Za-z0-9_-]{11}$/;
/** They have the form of ids, but play a list or a channel: `/embed/videoseries?list=...`. */
const NO_IDS: ReadonlySet<string> = new Set(['videoseries', 'live_stream']);
/** Paths that end with the id. */
const ID_PATHS: ReadonlySet<string> = new Set(['embed', 'shorts', 'live', 'v', 'e']);

const SITE = /^(?:(?:www|m|music)\.)?youtube\.com$/;
const NO_COOKIE_SITE = /^(?:www\.)?youtube-nocookie\.com$/;
const SHORT_SITE = /^(?:www\.)?youtu\.be$/;

/** White space, which the URL parser drops, and backslashes, which it takes for slashes. */
const MISREAD = /[\s\\]/;

/**
 * The id of the video that a YouTube link of any form leads to.
 *
 * @throws AppError `invalid_argument` for any other text.
 */
export function youtubeVideoId(field: string, text: string): string {
  requiredText(field, text, MAX_ADDRESS);
  const url = /^https?:\/\//i.test(text) && !MISREAD.test(text) ? parseUrl(text) : undefined;
  const id = url && !url.username && !url.password && !url.port ? idIn(url) : undefined;
  if (id === undefined || !ID.test(id) || NO_IDS.has(id))
    throw invalidArgument(
      `${field} must be a link to a YouTube video, such as https://www.youtube.com/watch?v=dQw4w9WgXcQ.`,
    );
  return id;
}

function idIn({ hostname, pathname, searchParams }: URL): string | undefined {
  const [first = '', second, ...rest] = pathname.replace(/\/$/, '').slice(1).split('/');
  if (rest.length > 0) return undefined;
  if (SHORT_SITE.test(hostname)) return second === undefined ? first : undefined;
  if (NO_COOKIE_SITE.test(hostname)) return first === 'embed' || first === 'v' ? second : undefined;
  if (!SITE.test(hostname)) return undefined;
  if (first === 'watch' && second === undefined) return onlyOne(searchParams.getAll('v'));
  return ID_PATHS.has(first) ? second : undefined;
}

/** Two different ids are no link to a video. */
const onlyOne = (values: readonly string[]): string | undefined => (new Set(values).size === 1 ? values[0] : undefined);
