import type { Log, Metrics } from '@parley/runtime';
import type { Middleware } from './state.ts';

/** Logs one line and records one observation per request: its route, status and duration, never its content. */
export const telemetry = ({ log, metrics }: { log: Log; metrics: Metrics }): Middleware =>
  async function telemetry(ctx, next) {
    const began = performance.now();
    await next();
    const ms = performance.now() - began;
    const { requestId, found, identity, embedded, embeddedForm, failed: status = ctx.status } = ctx.state;
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
  };
