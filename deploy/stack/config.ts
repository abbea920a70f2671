import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloads are kept, outside the repository: `PARLEY_CACHE`, or `parley` in the user's cache directory. */
export function cacheDirectory({ PARLEY_CACHE, XDG_CACHE_HOME } = process.env): string {
  return PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley');
}

/** Variables that name existing servers, to be used instead of starting new ones. */
const GIVEN = /^(KAFKA_BROKERS|MONGODB_URI|MINIO_(ENDPOINT|ACCESS_KEY|SECRET_KEY|BUCKET|REGION))$/;

/** The servers named in the environment; processes inherit all other variables. */
export function readGivenServers(variables = process.env): Record<string, string> {
  const given = Object.entries(variables).filter(([name, value]) => value && GIVEN.test(name));
  return Object.fromEntries(given) as Record<string, string>;
}
