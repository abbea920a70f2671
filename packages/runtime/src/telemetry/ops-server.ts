import { createServer } from 'node:http';
import type { Component } from '../process.ts';
import type { Metrics } from './metrics.ts';

/**
 * The operators' port: `/healthz` (the process is alive), `/readyz` (it can do its work now, or 503 with the reasons),
 * `/readyz/NAME` (it has started, and this component is ready) and `/metrics`. Not for the public.
 */
export function createOpsServer(options: {
  host: string;
  port: number;
  metrics: Metrics;
  unready(only?: string): Promise<string[]>;
}): Component {
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request.url, options);
    const headers = { 'content-type': answer.contentType, 'x-content-type-options': 'nosniff' };
    response.writeHead(answer.status, headers).end(answer.text);
  });
  server.requestTimeout = 5_000;

  return {
    name: 'ops server',
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(options.port, options.host, resolve);
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface OpsAnswer {
  status: number;
  contentType: string;
  text: string;
}

const plain = (status: number, text: string): OpsAnswer => ({ status, contentType: 'text/plain; charset=utf-8', text });

async function answerTo(
  path: string | undefined,
  { metrics, unready }: { metrics: Metrics; unready(only?: string): Promise<string[]> },
): Promise<OpsAnswer> {
  const [, only] = /^\/readyz\/([a-z]+)$/.exec(path ?? '') ?? [];
  switch (only ? '/readyz' : path) {
    case '/healthz':
      return plain(200, 'ok\n');
    case '/readyz': {
      const reasons = await unready(only);
      return reasons.length === 0 ? plain(200, 'ready\n') : plain(503, `${reasons.join('\n')}\n`);
    }
    case '/metrics':
      return { status: 200, ...(await metrics.scrape()) };
    default:
      return plain(404, 'not found\n');
  }
}
