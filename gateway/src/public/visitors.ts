import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { permissionDenied } from '@parley/runtime';
import type { Limits } from '../config.ts';
import { isFromProxy } from '../http/client-address.ts';
import type { Context, Middleware } from '../http/state.ts';
import type { FindChatbot, FindForm, FindTicket } from './finders.ts';
import { isAllowed, isOf, isOrigin } from './origins.ts';
import type { VisitorLimits } from './visitor-limits.ts';
import { unknownVisitor, type VisitorTokens } from './visitor-tokens.ts';

export interface VisitorsOptions {
  findChatbot: FindChatbot;
  findForm: FindForm;
  findTicket: FindTicket;
  limits: Limits;
  tokens: VisitorTokens;
  visitorLimits: VisitorLimits;
  /** A header without which no POST is accepted; only trusted proxies can set it. */
  challengeHeader?: string | undefined;
  trustedProxies: BlockList;
  addressOf(request: IncomingMessage): string;
  baseUrlOf(request: IncomingMessage): string;
}

/** A chatbot or a ticket form. */
interface Shown {
  allowedDomains: string[];
}

const TOKEN_HEADER = 'X-Visitor-Token';
/** The longest time that browsers remember; what a preflight allowed is checked again with each request. */
const PREFLIGHT_SECONDS = 7_200;
const EXPOSED = 'Idempotent-Replayed, Retry-After, X-Request-Id';
const ACCEPTED = ['Accept', 'Content-Type', 'Idempotency-Key', TOKEN_HEADER, 'X-Request-Id'];

/**
 * Checks requests of visitors: `arrive` before the path is known to exist, in place of the check of an API key, then
 * `enter`, in place of the check of its scope, and `stay` before their route.
 *
 * A browser may read every answer but the one to a page that may not show the assistant: the widget has to understand 401 and
 * 429, too, which come before the assistant is known. There are no cookies, so nothing is given away.
 */
export function visitors(options: VisitorsOptions): Record<'arrive' | 'enter' | 'stay', Middleware> {
  const { findChatbot, findForm, findTicket, limits, tokens, visitorLimits } = options;
  const { challengeHeader, trustedProxies, addressOf, baseUrlOf } = options;

  /** Finds what the page shows, and where it may; undefined if there is none. */
  async function find({ state }: Context): Promise<Shown | undefined> {
    const { found, requestId } = state;
    const { public_id: publicId = '', token = '' } = found.params;
    if (found.shows === undefined) {
      const embedded = await findChatbot(publicId, requestId);
      if (embedded) state.embedded = embedded;
      return embedded?.chatbot;
    }
    const form = await (found.shows === 'form' ? findForm(publicId, requestId) : findTicket(token, requestId));
    if (form) state.embeddedForm = form;
    return form?.form;
  }
  const accepted = [...ACCEPTED, ...(challengeHeader === undefined ? [] : [challengeHeader])].join(', ');

  /** Throws PERMISSION_DENIED for a page that may not show it. */
  function checkOrigin(ctx: Context, { allowedDomains }: Shown): void {
    const { origin } = ctx.req.headers;
    const isAnyPage = origin === undefined && (ctx.method !== 'POST' || allowedDomains.length === 0);
    if (isAnyPage || (origin !== undefined && isAllowed(origin, allowedDomains))) return;
    if (origin !== undefined && isOf(origin, new URL(baseUrlOf(ctx.req)).host)) return;
    ctx.remove('Access-Control-Allow-Origin');
    throw permissionDenied(
      origin === undefined
        ? 'A request from a page of an allowed domain carries the header Origin.'
        : `This page may not show this ${ctx.state.found.shows ? 'ticket form' : 'chatbot'}: its domain is not among the allowed ones.`,
    );
  }

  function checkChallenge(ctx: Context): void {
    if (challengeHeader === undefined || ctx.method !== 'POST') return;
    if (!isFromProxy(trustedProxies, ctx.req) || ctx.get(challengeHeader) === '')
      throw permissionDenied('This request has not passed the challenge that is asked for here.');
  }

  async function allowPreflight(ctx: Context): Promise<void> {
    const shown = await find(ctx);
    if (shown) checkOrigin(ctx, shown);
    ctx.set('Access-Control-Allow-Methods', ctx.state.found.allow.join(', '));
    ctx.set('Access-Control-Allow-Headers', accepted);
    ctx.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
  }

  return {
    /** CORS, the visitor token, and the limit of an address. */
    async arrive(ctx, next) {
      const { access, route } = ctx.state.found;
      if (route?.limited) await visitorLimits.request(addressOf(ctx.req));
      if (access !== 'visitor') return next();
      ctx.vary('Origin');
      const { origin } = ctx.req.headers;
      if (origin !== undefined && isOrigin(origin)) {
        ctx.set('Access-Control-Allow-Origin', origin);
        ctx.set('Access-Control-Expose-Headers', EXPOSED);
      }
      // First, so that tokens cannot be tried without end.
      await visitorLimits.request(addressOf(ctx.req));
      const token = ctx.get(TOKEN_HEADER);
      if (route?.visitor && token !== '') ctx.state.visitor = tokens.open(token);
      else if (route?.visitor === 'known')
        throw unknownVisitor(`Send the visitor token in the header ${TOKEN_HEADER}.`);
      if (ctx.method === 'OPTIONS' && origin !== undefined && ctx.get('access-control-request-method') !== '')
        await allowPreflight(ctx);
      await next();
    },

    /** Finds what the page shows. What does not exist is refused by the route, after what is wrong with the request itself. */
    async enter(ctx, next) {
      if (ctx.state.found.route?.access !== 'visitor') return next();
      const shown = await find(ctx);
      if (shown) checkOrigin(ctx, shown);
      checkChallenge(ctx);
      await next();
    },

    /** Limits the replies in progress, and how long a client may take for one. */
    async stay(ctx, next) {
      const { found, visitor } = ctx.state;
      if (found.route?.access !== 'visitor' || found.route.timeout !== 'replyMs') return next();
      using _ = visitorLimits.reply({ address: addressOf(ctx.req), visitor: visitor?.id });
      const life = setTimeout(() => ctx.res.destroy(), limits.replyMs + limits.bodyMs);
      ctx.res.once('close', () => clearTimeout(life));
      await next();
    },
  };
}
