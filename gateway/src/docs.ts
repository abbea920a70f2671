import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { openFile } from './file-routes.ts';
import { ICON } from './icon.ts';
import type { Route } from './route.ts';

/** The inline styles are Swagger UI's own. Everything is loaded from, and sent to, this gateway only. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley: REST API</title>
    <link rel="icon" href="${ICON}">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/style.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** No operation has links. Narrow screens have no room for tables: their cells stand below each other. */
const STYLE = `
body { margin: 0; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info h2 { font-size: 18px; margin: 20px 0 0; }
.swagger-ui .scheme-container { margin-bottom: 16px; padding: 16px 0; }
.swagger-ui .response-col_links { display: none !important; }
.swagger-ui .highlight-code pre, .swagger-ui .curl-command pre { overflow-wrap: anywhere; white-space: pre-wrap !important; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 80%; order: 1; padding: 4px 0; }
  .swagger-ui .opblock .opblock-section-header { gap: 8px; padding: 8px 10px; }
  .swagger-ui .opblock .opblock-summary-path { font-size: 13px; max-width: none; }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; text-align: left; }
  .swagger-ui .table-container, .swagger-ui .responses-inner, .swagger-ui .opblock-description-wrapper { padding: 8px 10px; }
  .swagger-ui table.parameters, .swagger-ui table.responses-table, .swagger-ui table.headers { display: block; }
  .swagger-ui table:is(.parameters, .responses-table, .headers) > thead { display: none; }
  .swagger-ui table:is(.parameters, .responses-table, .headers) > tbody,
  .swagger-ui table:is(.parameters, .responses-table, .headers) > tbody > tr,
  .swagger-ui table:is(.parameters, .responses-table, .headers) > tbody > tr > td { display: block; padding: 2px 0; width: auto; max-width: none; min-width: 0; }
  .swagger-ui table:is(.parameters, .responses-table, .headers) > tbody > tr { padding: 8px 0; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; width: 100%; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: 92%; }
  .swagger-ui .auth-container input { min-width: 0; width: 100%; }
}
`;

const START =
  "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#api', deepLinking: true, showExtensions: true, validatorUrl: null });\n";

const { resolve } = createRequire(import.meta.url);

/** Swagger UI for `/v1/openapi.json`: to read the routes, and to try them with a key. */
export function docsFiles(): Route[] {
  const headers = { 'Content-Security-Policy': POLICY };
  const fixed = (path: string, summary: string, type: string, content: string) =>
    openFile(path, summary, async () => ({ type, content, headers }));
  const asset = (path: string, type: string, name: string) => {
    const file = resolve(`swagger-ui-dist/${name}`);
    return openFile(path, 'Swagger UI', async () => {
      const { size: length } = await stat(file);
      return { type, content: createReadStream(file), length, headers };
    });
  };
  return [
    fixed('/docs', 'This description as a web page', 'text/html', HTML),
    fixed('/docs/start.js', 'The script of that page', 'text/javascript', START),
    fixed('/docs/style.css', 'Its style', 'text/css', STYLE),
    asset('/docs/swagger-ui.css', 'text/css', 'swagger-ui.css'),
    asset('/docs/swagger-ui-bundle.js', 'text/javascript', 'swagger-ui-bundle.js'),
  ];
}
