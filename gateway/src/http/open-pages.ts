import { HttpError } from './http-error.ts';
import type { Middleware } from './state.ts';

export interface Page {
  status: number;
  contentType: string;
  text: string;
  headers?: Record<string, string>;
}

const ALLOW = 'GET, HEAD, OPTIONS';

/** Pages that need no key and stand outside the envelope: health, metrics, the API's description and its pages. */
export const openPages = (pages: Record<string, (path: string) => Promise<Page>>): Middleware =>
  async function openPages(ctx, next) {
    const path = ctx.path.replace(/(?<=.)\/$/, '');
    if (!Object.hasOwn(pages, path)) return next();
    ctx.state.found.template = path;
    ctx.set('Allow', ALLOW);
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new HttpError(405, `${ctx.method} is not allowed here. Allowed: ${ALLOW}.`);
    const { status, contentType, text, headers = {} } = await pages[path]!(path);
    ctx.remove('Allow');
    ctx.status = status;
    ctx.type = contentType;
    ctx.set(headers);
    ctx.body = text;
  };
