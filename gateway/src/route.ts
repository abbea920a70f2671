import type { Readable } from 'node:stream';
import type { ObjectStore } from '@parley/runtime/objects';
import { codeOf } from '@parley/runtime/rpc';
import { z } from 'zod';
import type { Limits } from './config.ts';
import { type ListQuery, listOf, listQuery } from './fields/list.ts';
import type { Cursors } from './http/cursor.ts';
import type { Identity } from './http/key-cache.ts';
import type { IncomingFile } from './http/uploads.ts';
import type { FormContext, VisitorContext } from './public/visitor-context.ts';
import type { Needs } from './scopes.ts';
import type { BoundServices } from './services.ts';
import type { Lasting, StreamEvent, Streaming } from './streaming.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Fields = z.ZodObject;
export type NoFields = z.ZodObject<Record<never, never>>;

/** The second argument of the `call` of a route for API keys. */
export interface RouteContext extends BoundServices {
  identity: Identity;
  cursors: Cursors;
  /** URL of the API as the client reaches it, with `/v1`. */
  baseUrl: string;
  /** The query that makes an address of an item a signed one, for uploads without a key. */
  signUpload(item: string): string;
  objects: Pick<ObjectStore, 'get'>;
  /** For streams that go on for longer than a request may take. */
  lasting: Lasting;
}

/** The second argument of the `call` of a route for uploads. */
export interface UploadContext {
  /** With a deadline of their own: an upload takes longer than a call may. A second write needs a `step`. */
  services(step?: string): BoundServices;
  file: IncomingFile;
}

/**
 * Who may use a route, and what its `call` gets. `visitor`: who visits a page that may show the chatbot. `upload`: who has a
 * signed address. `none`: anybody.
 */
export interface Contexts {
  key: RouteContext;
  visitor: VisitorContext | FormContext;
  upload: UploadContext;
  none: object;
}

export type Access = keyof Contexts;

/**
 * How a body is received: `json` reads an object, or nothing where none was sent; `upload` leaves it to the route, which
 * streams it into the object store; `form` reads an object, or a form with files, which it stores; `none` leaves it unread.
 */
export type BodyKind = 'json' | 'form' | 'upload' | 'none';

/** The result of a route's `call`, by the kind of its answer: `data` of the envelope, or a file outside of it. */
export interface Answers {
  json: unknown;
  file: File;
}

export type AnswerKind = keyof Answers;

export interface File {
  /** A media type. */
  type: string;
  content: string | Readable;
  /** The content compressed with gzip, for clients that accept it. */
  gzip?: Buffer;
  /** In bytes; needed for streams only. */
  length?: number;
  /** 200 by default. */
  status?: number;
  /** With an `ETag`, a client that has the file already gets 304. */
  headers?: Record<string, string>;
}

export interface About {
  /** Below `/v1`, or `/public/v1` for visitors, for routes of the API; `:name` is a path parameter. */
  path: string;
  summary: string;
  /**
   * Makes anew what expires in `data`, when a retry with an Idempotency-Key gets a response that was kept. Absent: nothing
   * expires.
   */
  // biome-ignore lint/suspicious/noExplicitAny: it is the route's own `data`, in JSON.
  renew?(data: any, context: Pick<RouteContext, 'baseUrl' | 'signUpload'>): unknown;
  /** Not in the original contract: an extension of Parley's. */
  extension?: true;
  /** The response shows a secret once; an Idempotency-Key repeats it only to the API key that made the request. */
  showsSecret?: true;
  /** For the API description, in addition to the summary. */
  description?: string;
  /** For the API description: what else is refused, by status, besides what the route's other properties say. */
  errors?: Record<number, string>;
  /** For the API description: the media types of a file. */
  mediaTypes?: readonly string[];
}

/** A route is data: authentication, scopes, validation, envelope, errors and the OpenAPI description all read this object. */
export interface Route extends About {
  /** Every route for keys says which scope they need, if only that any key is sufficient; others have none. */
  scope?: Needs['scope'];
  /** Needed by a restricted key; any other key is sufficient. */
  restricted?: Needs['restricted'];
  /** Requests count for the limit of an address, as those of visitors do. */
  limited?: true;
  /** The subject of a page that a visitor opens: a chatbot if absent. */
  shows?: 'form' | 'ticket';
  /** `known`: the visitor needs a token; `known or new`: may have one. */
  visitor?: 'known' | 'known or new';
  method: Method;
  access: Access;
  consumes: BodyKind;
  produces: AnswerKind;
  params: Fields;
  query: Fields;
  body?: Fields;
  /** The schema of `data`; absent if the response is only `success`. */
  response?: z.ZodType;
  timeout: keyof Pick<Limits, 'requestMs' | 'replyMs'>;
  /** Absent: clients that ask for a stream of events get JSON. */
  stream?: Streaming;
  // biome-ignore lint/suspicious/noExplicitAny: what the makers of routes checked, the collection forgets.
  call(input: any, context: any): Promise<any>;
}

/** Where the routes of each access are, besides those of files; `/v1` is where the others are. */
export const PUBLIC_PREFIX = '/public/v1';

/** The path as the API description has it: relative to `/v1`, or absolute for visitors. */
export const describedPath = ({ access, path }: Pick<Route, 'access' | 'path'>): string =>
  access === 'visitor' ? `${PUBLIC_PREFIX}${path}` : path;

/** A route and the name of its export: the operation's id, and a function's name in generated clients. */
export interface NamedRoute extends Route {
  name: string;
}

export type ForKeys = About & Needs;

interface Input<P extends Fields, Q extends Fields, B extends Fields> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
}

/** The input of a route, and the call that answers it. */
export interface Called<P extends Fields, Q extends Fields, B extends Fields, T, C = RouteContext> {
  method: Method;
  params?: P;
  query?: Q;
  body?: B;
  timeout?: Route['timeout'];
  call(input: Input<P, Q, B>, context: C): Promise<T>;
}

type Definition<P extends Fields, Q extends Fields, B extends Fields, T> = ForKeys & Called<P, Q, B, T>;

/** How the result comes as a stream of events, for clients that prefer one. */
export interface Streamed<
  P extends Fields,
  Q extends Fields,
  B extends Fields,
  T,
  R extends z.ZodType,
  C = RouteContext,
> {
  stream?: Pick<Streaming, 'events' | 'lasting'> & {
    call(input: Input<P, Q, B>, context: C): AsyncGenerator<StreamEvent, T>;
    whole(data: z.output<R>): StreamEvent[];
  };
}

/** How the result of `call` becomes `data`. */
export interface Answered<T, R extends z.ZodType, C = RouteContext> {
  response: R;
  toJson(result: T, context: C): z.input<R>;
}

export const none = z.object({});
/** The defaults of routes for API keys. */
export const DEFAULTS = {
  access: 'key',
  consumes: 'json',
  produces: 'json',
  params: none,
  query: none,
  timeout: 'requestMs',
} as const;

/** A route for API keys that responds with `response`, or only with success. */
export function route<
  T,
  R extends z.ZodType,
  P extends Fields = NoFields,
  Q extends Fields = NoFields,
  B extends Fields = NoFields,
>(definition: Definition<P, Q, B, T> & Answered<T, R> & Streamed<P, Q, B, T, R>): Route;
export function route<P extends Fields = NoFields, Q extends Fields = NoFields, B extends Fields = NoFields>(
  definition: Definition<P, Q, B, unknown>,
): Route;
export function route({
  call,
  toJson,
  stream,
  ...rest
}: Omit<Route, keyof typeof DEFAULTS> & { toJson?(of: unknown, context: unknown): unknown }) {
  return {
    ...DEFAULTS,
    ...rest,
    ...(stream && {
      stream: {
        ...stream,
        async *call(input: unknown, context: unknown) {
          return toJson?.(yield* stream.call(input, context), context);
        },
      },
    }),
    async call(input: unknown, context: unknown) {
      const result = await call(input, context);
      return toJson?.(result, context);
    },
  };
}

/** A page as services return it: `nextCursor` is a raw position. */
interface Page<T> {
  items: T[];
  total: number;
  hasMore: boolean;
  nextCursor: string;
}

type ListDefinition<P extends Fields, F extends Fields, T, I extends z.ZodType> = ForKeys & {
  params?: P;
  /** Query parameters besides `limit` and `next_cursor`. */
  filter?: F;
  item: I;
  toJson(item: T, context: RouteContext): z.input<I>;
  call(
    input: { params: z.output<P>; filter: z.output<F>; page: { limit: number; nextCursor: string } },
    context: RouteContext,
  ): Promise<Page<T>>;
};

/** A route that lists by pages. Its cursors are valid only for the same account, path parameters and filter. */
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
    ...DEFAULTS,
    ...about,
    method: 'GET',
    params,
    query: listQuery.extend(filterFields.shape),
    response: listOf(item),
    async call({ params, query }: { params: z.output<P>; query: ListQuery }, context: RouteContext) {
      const { limit, next_cursor, ...filter } = query;
      const { identity, cursors } = context;
      const identical = { account: identity.account.id, list: about.path, parent: params, filter };
      const nextCursor = next_cursor === undefined ? '' : cursors.open(identical, next_cursor);
      const page = await shortened(limit, (limit) =>
        call({ params, filter: filter as z.output<F>, page: { limit, nextCursor } }, context),
      );
      return {
        items: page.items.map((item) => toJson(item, context)),
        total: page.total,
        has_more: page.hasMore,
        ...(page.hasMore && { next_cursor: cursors.seal(identical, page.nextCursor) }),
      };
    },
  };
};

const SHORTER = 4;

/** Reads a shorter page if the items are so large that a service can't send as many in one message. */
async function shortened<T>(limit: number, read: (limit: number) => Promise<T>): Promise<T> {
  try {
    return await read(limit);
  } catch (error) {
    if (limit === 1 || codeOf(error) !== 'resource_exhausted') throw error;
    return shortened(Math.ceil(limit / SHORTER), read);
  }
}
