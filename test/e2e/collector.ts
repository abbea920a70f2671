import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: unknown }[];
}

interface Export {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

export interface Collector extends AsyncDisposable {
  url: string;
  /** Those of a trace, by the order of their arrival. */
  spansOf(trace: string): CollectedSpan[];
  /** All that was ever sent to it. */
  received(): string;
}

/** Receives traces over OTLP/HTTP in JSON, on loopback. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const spans = () =>
    bodies.flatMap((body) =>
      (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    spansOf: (trace) => spans().filter(({ traceId }) => traceId === trace),
    received: () => bodies.join('\n'),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}
