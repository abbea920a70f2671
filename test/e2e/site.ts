import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is served at a path: a page's HTML, or whatever the function does with the response. */
export type Served = string | ((response: ServerResponse) => void);

export interface Site extends AsyncDisposable {
  /** With a slash at its end. */
  url: string;
  /** May be changed at any time; a path that is not here is a 404. */
  pages: Record<string, Served>;
  /** Paths in the order in which they were asked for. */
  asked: string[];
}

/** Where websites of tests are: on loopback, or, for a system on other machines, at the address by which those reach this one. */
const HOST = process.env.SITE_HOST ?? '127.0.0.1';

/** A website, as long as the test wants it. */
export async function site(pages: Record<string, Served>): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push(path);
    const served = pages[path];
    if (typeof served === 'function') return served(response);
    response.writeHead(served === undefined ? 404 : 200, {
      'content-type': path === '/robots.txt' ? 'text/plain' : 'text/html',
    });
    response.end(served ?? 'There is no such page.');
  });
  // A file that fails to load leaves it behind: the test run may end all the same.
  await new Promise<void>((resolve) => server.unref().listen(0, HOST, resolve));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}/`,
    pages,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A page with links, and text enough to be the page's main content. */
export function html(title: string, text: string, links: string[] = []): string {
  const anchors = links.map((href) => `<a href="${href}">${href}</a>`).join(' ');
  const paragraphs = text
    .split('\n')
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav>${anchors}</nav><main><h1>${title}</h1>${paragraphs}</main></body></html>`;
}

export interface Held {
  /** Serve this: the response waits for `release`. */
  served: Served;
  /** Resolves when a request has arrived and is waiting. */
  arrived: Promise<void>;
  release(): void;
}

/** A page whose response is held until it is released. */
export function held(page: string): Held {
  let arrive = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const served = (response: ServerResponse) => {
    arrive();
    released.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  };
  return { served, arrived, release };
}
