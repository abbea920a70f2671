import type { IncomingMessage } from 'node:http';
import { createShares, type Log, notFound, type RootSecret, type TicketTokens } from '@parley/runtime';
import type { ObjectStore } from '@parley/runtime/objects';
import { deriveId, monotonicNow, newCall } from '@parley/runtime/rpc';
import type { Limits } from '../config.ts';

import type { FormContext, VisitorContext } from '../public/visitor-context.ts';
import type { VisitorLimits } from '../public/visitor-limits.ts';
import type { VisitorTokens } from '../public/visitor-tokens.ts';
import type { Access, AnswerKind, Answers, Contexts, File, Route } from '../route.ts';
import { type BoundServices, bindServices, gatewaySigner, type Services } from '../services.ts';
import type { Streaming } from '../streaming.ts';
import { createCursors } from './cursor.ts';
import { createDownloads } from './downloads.ts';
import { success } from './envelope.ts';
import { tooManyInProgress } from './http-error.ts';
import { limitPauses } from './limit-pauses.ts';
import type { Context, Middleware } from './state.ts';
import type { UploadAddresses } from './upload-address.ts';
import { validate } from './validate.ts';

interface AnswerDependencies {
  services: Services;
  secret: RootSecret;
  limits: Limits;
  log: Log;
  objects: ObjectStore;
  addresses: UploadAddresses;
  baseUrlOf(request: IncomingMessage): string;
  addressOf(request: IncomingMessage): string;
  tokens: VisitorTokens;
  ticketTokens: TicketTokens;
  visitorLimits: VisitorLimits;
  /** Returns whether the gateway is stopping. */
  leaving(): boolean;
}

/** The last middleware: validates the request, calls its route, and sends the result. */
export function answer(options: AnswerDependencies): Middleware {
  const contextOf = contexts(options);
  const downloads = createDownloads(options.limits);
  const streams = createShares(options.limits.streamsAtOnce, tooManyInProgress('streams of events'));
  return async function answer(ctx) {
    const { found } = ctx.state;
    const route = found.route!;
    const input = {
      params: validate(route.params, found.params),
      query: validate(route.query, ctx.query),
      body: route.body ? validate(route.body, ctx.state.body ?? {}) : undefined,
    };
    const context = contextOf[route.access](ctx, route);
    if (route.produces === 'file' && route.access === 'key') downloads.begin(ctx.state.identity!.account.id, ctx.res);
    using _ = ctx.state.events && route.stream?.lasting ? streams.begin(ctx.state.identity!.account.id) : undefined;
    if (ctx.state.events) return await sendEvents(ctx, route.stream!.call(input, context));
    const result = await route.call(input, context);
    ANSWER[route.produces](ctx, result, route);
    limitPauses(ctx.res, options.limits.bodyMs);
  };
}

/** Sends events as they come, and leaves the result as JSON would. */
async function sendEvents(ctx: Context, events: ReturnType<Streaming['call']>): Promise<void> {
  let next = await events.next();
  for (; !next.done; next = await events.next()) await ctx.state.events!.send(next.value);
  ctx.body = success(next.value);
}

const ANSWER: { [K in AnswerKind]: (ctx: Context, result: Answers[K], route: Route) => void } = {
  json(ctx, data, { response }) {
    ctx.body = success(response && data);
  },
  file(ctx, { type, content, gzip, length, status = 200, headers = {} }: File) {
    ctx.status = status;
    ctx.type = type;
    ctx.set(headers);
    if (gzip) ctx.vary('Accept-Encoding');
    // Of a file without a version, no client can know what it has: `*` would fit.
    if ('ETag' in headers && ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const isCompressed = gzip && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? gzip : content;
    if (length !== undefined) ctx.length = length;
  },
};

/** Creates the context of a route, by its access. */
function contexts(options: AnswerDependencies): {
  [A in Access]: (ctx: Context, route: Route) => Contexts[A];
} {
  const { services, limits, log, objects, addresses, baseUrlOf } = options;
  const sign = gatewaySigner(options.secret);
  const cursors = createCursors(options.secret);
  return {
    key(ctx, route) {
      const { identity, requestId, operation } = ctx.state;
      const { account, key } = identity!;
      const signal = clientDisconnectSignal(ctx);
      const bound = () => {
        const context = { account: account.id, keyId: key.id, scopes: key.scopes, requestId, operation };
        const deadline = monotonicNow() + limits[route.timeout];
        return bindServices(services, newCall(context, { sign, log, deadline, signal }));
      };
      const ends = monotonicNow() + limits.streamMs;
      return {
        ...bound(),
        lasting: {
          lastEventId: ctx.get('Last-Event-ID') || undefined,
          async again() {
            if (options.leaving() || monotonicNow() > ends) return undefined;
            await ctx.state.identifyAgain!();
            return bound();
          },
        },
        identity: identity!,
        cursors,
        baseUrl: baseUrlOf(ctx.req),
        signUpload: (item) => addresses.sign(account.id, item),
        objects,
      };
    },
    visitor(ctx, route) {
      const { requestId, operation } = ctx.state;
      const servicesFor = (account: string) => {
        const dependencies = {
          sign,
          log,
          deadline: monotonicNow() + limits[route.timeout],
          signal: clientDisconnectSignal(ctx),
        };
        return bindServices(services, newCall({ account, requestId, operation }, dependencies));
      };
      return route.shows ? formContext(options, ctx, servicesFor) : visitorContext(options, ctx, servicesFor);
    },
    upload(ctx, route) {
      const { uploader, file, requestId } = ctx.state;
      const signal = clientDisconnectSignal(ctx);
      return {
        services(step) {
          const operation = step === undefined ? ctx.state.operation : deriveId(ctx.state.operation, step);
          const context = { account: uploader!, requestId, operation };
          return bindServices(
            services,
            newCall(context, { sign, log, deadline: monotonicNow() + limits[route.timeout], signal }),
          );
        },
        file: file!,
      };
    },
    none: () => ({}),
  };
}

type ServicesFor = (account: string) => BoundServices;

function visitorContext(
  { tokens, visitorLimits, addressOf }: AnswerDependencies,
  ctx: Context,
  servicesFor: ServicesFor,
): VisitorContext {
  const { embedded, visitor, operation } = ctx.state;
  if (!embedded) throw notFound('There is no such chatbot.');
  const { account, chatbot } = embedded;
  if (visitor && visitor.chatbot !== chatbot.id) throw notFound('This chatbot has no such conversation.');
  const spender = { address: addressOf(ctx.req), visitor: visitor?.id };
  const budget = { kind: 'chatbot', id: chatbot.id, messages: chatbot.appearance?.visitorMessagesPerDay } as const;
  return {
    ...servicesFor(account),
    ...embedded,
    visitor,
    newVisitor: deriveId(operation, 'visitor'),
    tokens,
    spend: (what) => visitorLimits.act(spender, what === 'message' ? budget : undefined),
  };
}

function formContext(options: AnswerDependencies, ctx: Context, servicesFor: ServicesFor): FormContext {
  const { tokens, ticketTokens, visitorLimits, addressOf } = options;
  const { embeddedForm, found } = ctx.state;
  if (!embeddedForm)
    throw notFound(found.shows === 'ticket' ? 'There is no such ticket.' : 'There is no such ticket form.');
  const { account, form, ticket } = embeddedForm;
  const spender = { address: addressOf(ctx.req), visitor: ticket?.id };
  return {
    ...servicesFor(account),
    ...embeddedForm,
    tokens,
    ticketTokens,
    files: ctx.state.form,
    spend: () => visitorLimits.act(spender, { kind: 'ticket form', id: form.id }),
  };
}

/** Aborts when the client disconnects before it has its response. */
function clientDisconnectSignal({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
