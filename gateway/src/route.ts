import { z } from 'zod';
import type { Limits } from './config.ts';
import { type ListQuery, listOf, listQuery } from './fields/list.ts';
import type { Cursors } from './http/cursor.ts';
import type { Identity } from './http/key-cache.ts';
import type { ScopeName } from './scopes.ts';
import type { BoundServices } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Fields = z.ZodObject;
type NoFields = z.ZodObject<Record<never, never>>;

/** What a route works with, besides its input. */
export interface RouteContext extends BoundServices {
  identity: Identity;
  cursors: Cursors;
}

interface About {
  /** Below `/v1`; `:name` is a path parameter. */
  path: string;
  summary: string;
  /** Absent: any valid key will do. */
  scope?: ScopeName;
  /** Not in the contract: an addition of Parley's. */
  extension?: true;
}

/** A route is data: authentication, scope, validation, envelope, errors and the OpenAPI description read this object. */
export interface Route extends About {
  method: Method;
  params: Fields;
  query: Fields;
  body?: Fields;
  /** The schema of `data`; absent where the answer is only `success`. */
  response?: z.ZodType;
  timeout: keyof Pick<Limits, 'requestMs' | 'replyMs'>;
  // biome-ignore lint/suspicious/noExplicitAny: what `route` checked against the schemas, the collection forgets.
  call(input: any, context: RouteContext): Promise<unknown>;
}

interface Definition<P extends Fields, Q extends Fields, B extends Fields, R extends z.ZodType> extends About {
  method: Method;
  params?: P;
  query?: Q;
  body?: B;
  response?: R;
  timeout?: Route['timeout'];
  call(
    input: { params: z.output<P>; query: z.output<Q>; body: z.output<B> },
    context: RouteContext,
  ): Promise<z.input<R>>;
}

const none = z.object({});

export const route = <
  P extends Fields = NoFields,
  Q extends Fields = NoFields,
  B extends Fields = NoFields,
  R extends z.ZodType = z.ZodUnknown,
>(
  definition: Definition<P, Q, B, R>,
): Route => ({ params: none, query: none, timeout: 'requestMs', ...definition });

/** A page as services give it: `nextCursor` is a raw position. */
interface Page<T> {
  items: T[];
  total: number;
  hasMore: boolean;
  nextCursor: string;
}

interface ListDefinition<P extends Fields, F extends Fields, T, I extends z.ZodType> extends About {
  params?: P;
  /** Query parameters besides `limit` and `next_cursor`. */
  filter?: F;
  item: I;
  toJson(item: T): z.input<I>;
  call(
    input: { params: z.output<P>; filter: z.output<F>; page: { limit: number; nextCursor: string } },
    context: RouteContext,
  ): Promise<Page<T>>;
}

/** A route that lists by pages. Its cursors are good for the same account, path parameters and filter only. */
export const list = <
  P extends Fields = NoFields,
  F extends Fields = NoFields,
  T = never,
  I extends z.ZodType = z.ZodType,
>(
  definition: ListDefinition<P, F, T, I>,
): Route => {
  const { params = none, filter: filterFields = none, item, toJson, call, ...about } = definition;
  return {
    ...about,
    method: 'GET',
    params,
    query: listQuery.extend(filterFields.shape),
    response: listOf(item),
    timeout: 'requestMs',
    async call({ params, query }: { params: z.output<P>; query: ListQuery }, context) {
      const { limit, next_cursor, ...filter } = query;
      const { identity, cursors } = context;
      const identical = { account: identity.account.id, list: about.path, parent: params, filter };
      const nextCursor = next_cursor === undefined ? '' : cursors.open(identical, next_cursor);
      const page = await call({ params, filter: filter as z.output<F>, page: { limit, nextCursor } }, context);
      return {
        items: page.items.map(toJson),
        total: page.total,
        has_more: page.hasMore,
        ...(page.hasMore && { next_cursor: cursors.seal(identical, page.nextCursor) }),
      };
    },
  };
};
