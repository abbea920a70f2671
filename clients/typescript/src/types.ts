import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { paths } from './generated/api.ts';

/** The paths that have an operation with this method. */
export type PathWith<M extends HttpMethod> = PathsWithMethod<paths, M>;

type Operation<P extends keyof paths, M extends HttpMethod> = P extends keyof paths
  ? paths[P][M & keyof paths[P]]
  : never;

type Parameters<O, Place extends string> = O extends { parameters: { [K in Place]: infer Fields } }
  ? { [K in Place]: Fields }
  : O extends { parameters: { [K in Place]?: infer Fields } }
    ? [Fields] extends [never | undefined]
      ? unknown
      : { [K in Place]?: Fields }
    : unknown;

type Body<O> = O extends { requestBody: { content: { 'application/json': infer Fields } } }
  ? { body: Fields }
  : unknown;

export interface CallOptions {
  /** Aborts the request and its retries. */
  signal?: AbortSignal | undefined;
  /** For one attempt; overrides the client's. */
  timeoutMs?: number | undefined;
  /**
   * For POST: requests with the same key are executed once. By default every call has a random key of its own, which its
   * retries share. Pass your own to make a call repeatable by another process.
   */
  idempotencyKey?: string | undefined;
}

/** The input of an operation: its `path` and `query` parameters and its `body`. */
export type RequestOf<P extends keyof paths, M extends HttpMethod> = Parameters<Operation<P, M>, 'path'> &
  Parameters<Operation<P, M>, 'query'> &
  Body<Operation<P, M>> &
  CallOptions;

/** Optional if the operation needs nothing. */
export type Arguments<R> = RequiredKeysOf<R> extends never ? [request?: R] : [request: R];

/** The result of an operation: the `data` of its response, nothing, or a file. */
export type DataOf<P extends keyof paths, M extends HttpMethod> =
  Operation<P, M> extends { responses: { 200: { content: infer Content } } }
    ? Content extends { 'application/json': infer Envelope }
      ? Envelope extends { data: infer Data }
        ? Data
        : undefined
      : Blob
    : never;

/** The paths of lists that come in pages. */
export type ListPath = {
  [P in PathWith<'get'>]: DataOf<P, 'get'> extends { items: unknown[]; has_more: boolean } ? P : never;
}[PathWith<'get'>];

export type ItemOf<P extends ListPath> = DataOf<P, 'get'> extends { items: (infer Item)[] } ? Item : never;

/** Calls the operation of one method at a path. */
export type Call<M extends HttpMethod> = <P extends PathWith<M>>(
  path: P,
  ...request: Arguments<RequestOf<P, M>>
) => Promise<DataOf<P, M>>;
