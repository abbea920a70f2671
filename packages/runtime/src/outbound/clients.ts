import { createOutboundClient, type OutboundClient, type OutboundConfig } from './client.ts';

/**
 * A client for each account that may reach more than others, and one for all others: connections are vetted when they are
 * opened, so accounts that differ must not share them.
 */
export interface OutboundClients {
  of(account: string): OutboundClient;
  close(): Promise<void>;
}

export function createOutboundClients(
  config: OutboundConfig,
  create: (config: OutboundConfig) => OutboundClient = createOutboundClient,
): OutboundClients {
  const common = create(config);
  const own = new Map([...config.allow.accounts].map(([account, allow]) => [account, create({ ...config, allow })]));
  return {
    of: (account) => own.get(account) ?? common,
    close: async () => void (await Promise.all([common, ...own.values()].map((client) => client.close()))),
  };
}
