import type Koa from 'koa';
import type { Embedded, EmbeddedForm } from '../public/finders.ts';
import type { Visitor } from '../public/visitor-tokens.ts';
import type { Access, Route } from '../route.ts';
import type { Events } from '../streaming.ts';
import type { FormBody } from './form-body.ts';
import type { JsonObject } from './json.ts';
import type { Identity } from './key-cache.ts';
import type { IncomingFile } from './uploads.ts';

/** The result of looking up a path and a method. */
export interface Found {
  /** The path's template, for logs and metrics. */
  template: string;
  /** Who may use the path. Only callers with a key learn that a path does not exist. */
  access: Access;
  /** The subject of the page at this path; a chatbot if absent. */
  shows?: Route['shows'];
  /** The methods of this path, for `Allow`; empty if the path does not exist. */
  allow: string[];
  /** Absent if the path or the method is unknown. */
  route?: Route;
  /** Decoded path segments by name; an id may be empty or malformed. */
  params: Record<string, string>;
}

/** The state of a request. The middleware named above each field sets it; earlier ones must not read it. */
export interface State {
  /** request-id */
  requestId: string;
  /** find */
  found: Found;
  /** events; set if the response is a stream of events, unless it fails before the first one */
  events?: Events;
  /** errors: the status of a failure, which a response that has begun can no longer carry */
  failed?: number;
  /** authentication; absent if the request was refused before, or needs no key */
  identity?: Identity;
  /** visitors: what the visitor's token says */
  visitor?: Visitor;
  /** visitors: the chatbot that the request is for; absent if there is none */
  embedded?: Embedded;
  /** visitors: the same of a ticket form */
  embeddedForm?: EmbeddedForm;
  /** authentication: checks the key again, at most every ten seconds */
  identifyAgain?: () => Promise<Identity>;
  /** authentication: the account that signed the address of an upload */
  uploader?: string;
  /** body: an upload that has yet to be received */
  file?: IncomingFile;
  /** body: a form with files, which are stored */
  form?: FormBody;
  /** body; absent if the request has none */
  body?: JsonObject | undefined;
  /** idempotency: the id of the operation, the same on every retry */
  operation: string;
}

export type Middleware = Koa.Middleware<State>;
export type Context = Parameters<Middleware>[0];
