import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isDenied } from './deny-list.ts';
import { type AllowList, mayConnect, refusalOf } from './guard.ts';
import { OutboundError } from './outbound-error.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;

export const resolveByDns: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/**
 * The only way to the network. A name is looked up once per connection and only its vetted addresses are tried, so
 * changing its address between the check and the use gains nothing.
 */
export function guardedConnector(allow: AllowList, resolve: Resolve): buildConnector.connector {
  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !mayConnect(literal, literal, port, allow)) {
      return callback(refused(literal, isDenied(literal, port, allow.deny)), null);
    }
    const lookup: LookupFunction = (name, _, found) => {
      const vetted = ({ address }: LookupAddress) => mayConnect(address, hostname, port, allow);
      resolve(name)
        .then((addresses) => {
          const usable = addresses.filter(vetted);
          if (usable.length === 0)
            throw refused(
              name,
              addresses.some(({ address }) => isDenied(address, port, allow.deny)),
            );
          return usable;
        })
        .then(
          (usable) => found(null, usable),
          (error) => found(error, []),
        );
    };
    // With autoSelectFamily, net asks its lookup for all addresses, which this one returns.
    buildConnector({ lookup, autoSelectFamily: true, timeout: CONNECT_TIMEOUT_MS })(options, callback);
  };
}

function refused(host: string, isDenied: boolean): OutboundError {
  return new OutboundError({ kind: 'refused', sentence: refusalOf(host, isDenied) });
}
