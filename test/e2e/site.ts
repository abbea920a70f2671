import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The content at a path: HTML, or a function that writes the response. */
export type Served = string | ((response: ServerResponse) => void);

export interface Site extends AsyncDisposable {
  /** Ends with a slash. */
  url: string;
  /** May be changed at any time; other paths are 404. */
  pages: Record<string, Served>;
  /** Requested paths, in order. */
  asked: string[];
}

/** Address of the tests' websites: loopback, or one by which a system on other machines reaches this one. */
const HOST = process.env.SITE_HOST ?? '127.0.0.1';

/** Serves a website until it is disposed. */
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
  // A test file that fails to load does not dispose it; unref lets the run end anyway.
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

/** A page with links, and the text as its main content; each line becomes a paragraph. */
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
  /** Resolves when the client of a waiting request has closed its connection. */
  abandoned: Promise<void>;
  release(): void;
}

/** A page whose response is held back until `release` is called. */
export function held(page: string): Held {
  let arrive = () => {};
  let abandon = () => {};
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const served = (response: ServerResponse) => {
    arrive();
    response.once('close', () => response.writableFinished || abandon());
    released.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
  };
  return { served, arrived, abandoned, release };
}
