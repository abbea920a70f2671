import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unpacked } from './packages.ts';
import type { SourceDefinition } from './sources.ts';

/** The pages of a source, by their path below its root. */
export type Pages = ReadonlyMap<string, string>;

/** @throws Error that names what is missing. */
export async function readPages(source: SourceDefinition): Promise<Pages> {
  const { from } = source;
  const root = join('directory' in from ? fileURLToPath(from.directory) : await unpacked(from), source.root);
  const pages = new Map<string, string>();
  for (const page of source.pages) pages.set(page, await readFile(join(root, page), 'utf8'));
  return pages;
}

export interface Site extends AsyncDisposable {
  /** The address of its first page. */
  url: string;
  port: number;
}

/** Serves the pages on loopback, with a sitemap that lists all of them. */
export async function openSite(pages: Pages, port = 0): Promise<Site> {
  const served = new Map([...pages].map(([path, html]) => [`/${path}`, html]));
  const server = createServer(({ url = '/' }, response) => {
    const origin = `http://127.0.0.1:${at()}`;
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (url === '/robots.txt') return send(200, 'text/plain', `User-agent: *\nSitemap: ${origin}/sitemap.xml\n`);
    if (url === '/sitemap.xml')
      return send(200, 'application/xml', sitemap([...served.keys()].map((path) => origin + path)));
    const html = served.get(url);
    return html === undefined ? send(404, 'text/plain', 'Not found') : send(200, 'text/html; charset=utf-8', html);
  });
  const at = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${at()}${[...served.keys()][0]}`,
    port: at(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const sitemap = (urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
