import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloads are kept, outside the repository: `PARLEY_CACHE`, or `parley` in the user's cache directory. */
export function cacheDirectory({ PARLEY_CACHE, XDG_CACHE_HOME } = process.env): string {
  return PARLEY_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley');
}

/** Of servers that are there already, to be used instead of own ones. */
const GIVEN = /^(KAFKA_BROKERS|MONGODB_URI|MINIO_(ENDPOINT|ACCESS_KEY|SECRET_KEY|BUCKET|REGION))$/;

/** What the environment says of servers; everything else the processes inherit. */
export function readGivenServers(variables = process.env): Record<string, string> {
  const given = Object.entries(variables).filter(([name, value]) => value && GIVEN.test(name));
  return Object.fromEntries(given) as Record<string, string>;
}
