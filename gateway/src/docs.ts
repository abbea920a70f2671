import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from './http/open-pages.ts';

/** The inline styles are Swagger UI's own. Nothing is loaded from, or sent to, anywhere but this gateway. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley: REST API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });\n";

const { resolve } = createRequire(import.meta.url);

/** Swagger UI over `/v1/openapi.json`: the routes to read, and to try with a key. Paths with what they serve. */
export function docsPages(): Record<string, () => Promise<Page>> {
  const fixed = (contentType: string, text: string) => async (): Promise<Page> => ({
    status: 200,
    contentType,
    text,
    headers: { 'Content-Security-Policy': POLICY },
  });
  const asset = (contentType: string, name: string) => async () =>
    fixed(contentType, await readFile(resolve(`swagger-ui-dist/${name}`), 'utf8'))();
  return {
    '/docs': fixed('text/html', HTML),
    '/docs/start.js': fixed('text/javascript', START),
    '/docs/swagger-ui.css': asset('text/css', 'swagger-ui.css'),
    '/docs/swagger-ui-bundle.js': asset('text/javascript', 'swagger-ui-bundle.js'),
  };
}
