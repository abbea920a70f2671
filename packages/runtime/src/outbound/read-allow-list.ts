import { ConfigError, type Env } from '../env.ts';
import { parseDenyList } from './deny-list.ts';
import { type AllowList, parseAllowList } from './guard.ts';

/** Reads CRAWL_ALLOW and OUTBOUND_DENY, both empty by default. */
export function readAllowList(env: Env): AllowList {
  try {
    return parseAllowList(env.get('CRAWL_ALLOW') ?? '', parseDenyList(env.get('OUTBOUND_DENY') ?? ''));
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}
