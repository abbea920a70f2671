import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloads are kept, outside the repository: `PARLEY_CACHE`, or `parley` in the user's cache directory. */
export function cacheDirectory({ PARLEY_CACHE, XDG_CACHE_HOME } = process.env): string {
  return PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley');
}
