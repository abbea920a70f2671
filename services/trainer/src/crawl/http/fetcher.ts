import {
  createOutboundClient,
  type OutboundClient,
  type OutboundConfig,
  OutboundError,
} from '@parley/runtime/outbound';
import { loadErrorOf } from './sentences.ts';

/** The outbound client, with its errors translated to LoadErrors. */
export type Fetcher = OutboundClient;

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
