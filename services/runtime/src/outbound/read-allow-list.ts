import { ConfigError, type Env } from '../env.ts';
import { type AllowList, parseAllowList } from './guard.ts';

/** CRAWL_ALLOW, empty by default. */
export function readAllowList(env: Env): AllowList {
  try {
    return parseAllowList(env.optional('CRAWL_ALLOW') ?? '');
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
