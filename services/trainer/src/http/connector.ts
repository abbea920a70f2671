import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AllowList, mayConnect, refusalOf } from '@parley/corpus/guard';
import { buildConnector } from 'undici';
import { LoadError } from './load-error.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;

export const resolveByDns: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/**
 * The one door to the network. A name is looked up once per connection and only its vetted addresses are tried, so a
 * name that changes its address between the check and the use gains nothing.
 */
export function guardedConnector(allow: AllowList, resolve: Resolve): buildConnector.connector {
  return (options, callback) => {
    const { hostname } = options;
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) && !mayConnect(literal, literal, port, allow)) {
      return callback(new LoadError(refusalOf(literal)), null);
    }
    const lookup: LookupFunction = (name, _, found) => {
      const vetted = ({ address }: LookupAddress) => mayConnect(address, hostname, port, allow);
      resolve(name)
        .then((addresses) => {
          const usable = addresses.filter(vetted);
          if (usable.length === 0) throw new LoadError(refusalOf(name));
          return usable;
        })
        .then(
          (usable) => found(null, usable),
          (error) => found(error, []),
        );
    };
    // With autoSelectFamily net asks its lookup for all addresses, which is what this one answers.
    buildConnector({ lookup, autoSelectFamily: true, timeout: CONNECT_TIMEOUT_MS })(options, callback);
  };
}
