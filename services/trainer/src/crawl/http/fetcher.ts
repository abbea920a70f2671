import {
  createOutboundClient,
  type OutboundClient,
  type OutboundConfig,
  OutboundError,
} from '@parley/runtime/outbound';
import { loadErrorOf } from './sentences.ts';

/** The outbound client, with its errors translated to LoadErrors. */
export type Fetcher = OutboundClient;

/**
 * A fetcher for each account that may reach more than others, and one for all others: connections are vetted when they are
 * opened, so accounts that differ must not share them.
 */
export interface Fetchers {
  of(account: string): Fetcher;
  close(): Promise<void>;
}

export function createFetchers(config: OutboundConfig): Fetchers {
  const common = createFetcher(config);
  const own = new Map(
    [...config.allow.accounts].map(([account, allow]) => [account, createFetcher({ ...config, allow })]),
  );
  return {
    of: (account) => own.get(account) ?? common,
    close: async () => void (await Promise.all([common, ...own.values()].map((fetcher) => fetcher.close()))),
  };
}

export function createFetcher(config: OutboundConfig): Fetcher {
  const client = createOutboundClient(config);
  return {
    ...client,
    async get(url, options) {
      try {
        return await client.get(url, options);
      } catch (error) {
        throw error instanceof OutboundError ? loadErrorOf(error) : error;
      }
    },
  };
}
