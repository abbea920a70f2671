import { beginSpan, isTraced, type Log, type Metrics, traceOf } from '@parley/runtime';
import type { Context, Middleware } from './state.ts';

/**
 * Logs one line and records one observation per request, and its span if the process is traced: its route, status and
 * duration, never its content.
 */
export function telemetry({ log, metrics }: { log: Log; metrics: Metrics }): Middleware {
  async function observed(ctx: Context, next: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await next();
    const ms = performance.now() - began;
    const { requestId, found, identity, embedded, embeddedForm } = ctx.state;
    const status = statusOf(ctx);
    metrics.http(ctx.method, found.template, status, ms / 1000);
    const line = {
      request_id: requestId,
      account: identity?.account.id ?? embedded?.account ?? embeddedForm?.account,
      key: identity?.key.id,
      method: ctx.method,
      route: found.template,
      status,
      ms: Math.round(ms * 10) / 10,
    };
    // Probes and scrapes arrive every few seconds and would drown out the rest.
    const routine = found.access === 'none' && status < 400;
    log[routine ? 'debug' : 'info'](line, 'request');
  }

  return async function telemetry(ctx, next) {
    const { access, template } = ctx.state.found;
    if (!isTraced() || access === 'none') return observed(ctx, next);
    const attributes = { 'http.request.method': ctx.method, 'http.route': template };
    const span = beginSpan(`${ctx.method} ${template}`, { kind: 'server', from: traceOf(ctx.headers), attributes });
    try {
      await span.run(() => observed(ctx, next));
    } finally {
      const status = statusOf(ctx);
      span.set({ 'http.response.status_code': status });
      span.end(status >= 500 ? String(status) : undefined);
    }
  };
}

const statusOf = (ctx: Context): number => ctx.state.failed ?? ctx.status;
