import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIfThere, writePrivate } from './data-dir.ts';

const DIRECTORY = fileURLToPath(new URL('../demo-site', import.meta.url));
const HOST = '127.0.0.1';
const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8' };

export interface DemoSite {
  /** Its host:port, which no other program uses. */
  address: string;
  url: string;
  /** Puts the chat on every page from now on, by its script tag. */
  embed(snippet: string): void;
  stop(): Promise<void>;
}

interface File {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Serves the handbook on loopback. Its port is chosen once and stored in the data directory, because answers cite pages
 * by address; `port` is the first choice. Undefined if another program has taken the stored port since.
 */
export async function startDemoSite(options: { dataDir: string; port: number }): Promise<DemoSite | undefined> {
  const memory = join(options.dataDir, 'demo-port');
  const kept = await readIfThere(memory);
  const pages = await loadFiles();
  let files = served(pages);
  const server = createServer((request, response) => answer(files, request, response));
  const choices = kept ? [Number(kept)] : [options.port, 0];
  if (!(await listen(server, choices))) return undefined;

  const { port } = server.address() as AddressInfo;
  if (!kept) await writePrivate(memory, String(port));
  return {
    address: `${HOST}:${port}`,
    url: `http://${HOST}:${port}/`,
    embed(snippet) {
      files = served(pages, snippet);
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Tries the ports in order; false if all are taken. */
async function listen(server: Server, [port, ...others]: number[]): Promise<boolean> {
  if (port === undefined) return false;
  try {
    await once(server.listen(port, HOST), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(server, others);
  }
}

interface Loaded {
  name: string;
  text: string;
  changed: Date;
}

const loadFiles = async (): Promise<Loaded[]> =>
  Promise.all(
    (await readdir(DIRECTORY)).map(async (name) => {
      const path = join(DIRECTORY, name);
      return { name, text: await readFile(path, 'utf8'), changed: (await stat(path)).mtime };
    }),
  );

/** The files by path; all other paths are 404. */
const served = (loaded: Loaded[], snippet = ''): Map<string, File> =>
  new Map(
    loaded.map(({ name, text, changed }) => {
      const body = Buffer.from(text.replace('</body>', `${snippet}$&`));
      const headers = {
        'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
        ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
        'Last-Modified': changed.toUTCString(),
      };
      return [`/${name}`, { body, headers }];
    }),
  );

function answer(
  files: Map<string, File>,
  { method, url = '/', headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  const [path] = url.split('?', 1);
  // One address per page, or the crawler would read it twice.
  if (path === '/') return void response.writeHead(301, { Location: '/index.html' }).end();
  const file = files.get(path!);
  if (!file) return void response.writeHead(404).end();
  if (isKnown(file, headers)) return void response.writeHead(304, file.headers).end();
  response.writeHead(200, { ...file.headers, 'Content-Length': file.body.length });
  response.end(method === 'GET' ? file.body : undefined);
}

/** Returns whether the client already has this version of the file. */
function isKnown(file: File, asked: IncomingMessage['headers']): boolean {
  if (asked['if-none-match'] !== undefined) return asked['if-none-match'] === file.headers['ETag'];
  const since = Date.parse(asked['if-modified-since'] ?? '');
  return Date.parse(file.headers['Last-Modified']!) <= since;
}
