import type Koa from 'koa';
import type { Route } from '../route.ts';
import type { JsonObject } from './json.ts';
import type { Identity } from './key-cache.ts';

/** What the routes have for a path and a method. */
export interface Found {
  /** The path's template, for logs and metrics. */
  template: string;
  /** What may be done at this path, as `Allow` says it; empty where there is no such path. */
  allow: string[];
  /** Absent where the path or the method is unknown. */
  route?: Route;
  /** Decoded path segments by name; an id may be empty or malformed. */
  params: Record<string, string>;
}

/** What is known of a request. Each field is set by the middleware named behind it; those before must not read it. */
export interface State {
  /** request-id */
  requestId: string;
  /** find */
  found: Found;
  /** authentication; absent where the request was refused before, or needs no key */
  identity?: Identity;
  /** body; absent where the request has none */
  body?: JsonObject | undefined;
  /** idempotency: the id of the operation, the same on every retry */
  operation: string;
}

export type Middleware = Koa.Middleware<State>;
export type Context = Parameters<Middleware>[0];
