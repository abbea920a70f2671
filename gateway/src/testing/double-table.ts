import type { DescService } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AppError, notFound, permissionDenied } from '@parley/runtime';
import type { Handlers, RpcService } from '@parley/runtime/rpc';

/** Building blocks of the services' in-memory doubles, which do only what the gateway needs of the contracts. */

export const at = timestampFromDate(new Date('2026-01-02T03:04:05.678Z'));

const unimplemented = async (): Promise<never> => {
  throw new AppError('unimplemented', 'No test of the gateway needs this.');
};

/** A double that has the methods which tests of the gateway call. */
export function double<S extends DescService>(desc: S, handlers: Partial<Handlers<S>>): RpcService {
  const others = Object.fromEntries(desc.methods.map(({ localName }) => [localName, unimplemented]));
  return { desc, handlers: { ...others, ...handlers } as unknown as RpcService['handlers'] };
}

export interface Owned {
  id: string;
  account: string;
}

/** A table whose rows belong to accounts. */
export function table<T extends Owned>(what: string) {
  const rows: T[] = [];
  return {
    rows,
    add: (row: T): T => {
      const known = rows.find(({ id }) => id === row.id);
      if (!known) rows.push(row);
      return known ?? row;
    },
    get(account: string, id: string): T {
      const row = rows.find((r) => r.id === id);
      if (!row) throw notFound(`There is no such ${what}.`);
      if (row.account !== account) throw permissionDenied(`This ${what} belongs to another account.`);
      return row;
    },
    remove: (id: string) =>
      void rows.splice(
        rows.findIndex((r) => r.id === id),
        1,
      ),
    of: (account: string): T[] => rows.filter((r) => r.account === account).reverse(),
  };
}

/** Positions are indices here; real services use keyset positions. */
export function pageOf<T>(rows: T[], { limit, nextCursor }: { limit: number; nextCursor: string }) {
  const from = Number(nextCursor || 0);
  const items = rows.slice(from, from + limit);
  const hasMore = from + limit < rows.length;
  return { items, total: rows.length, hasMore, nextCursor: hasMore ? String(from + limit) : '' };
}
