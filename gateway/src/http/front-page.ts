import type { Middleware } from './state.ts';

/** Redirects a browser that opens `/`; for other clients the path does not exist. */
export const frontPage = (path: string): Middleware =>
  async function frontPage(ctx, next) {
    const isBrowser = ctx.get('accept').includes('text/html');
    if (ctx.path !== '/' || !isBrowser || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.redirect(path);
  };
