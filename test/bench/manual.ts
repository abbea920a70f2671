import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A made-up manual, as a website on loopback. */
export interface Manual extends AsyncDisposable {
  /** Ends with a slash. */
  url: string;
  /** One question per section, which the manual answers. */
  questions: string[];
  /** Pages requested so far. */
  readonly served: number;
  /** From now on, this share of the pages, but not the first, answers 503. */
  refuse(share: number): void;
}

export interface ManualSize {
  pages: number;
  /** Sections per page; each becomes a chunk. */
  sections: number;
  /** Sentences per section. */
  sentences: number;
  /** Pages that each page links to, as a tree; by default, each links to all. */
  links?: number;
}

/** A sentence in every section. */
export const EVERYWHERE = 'Keep the cover closed while you work.';

const VERBS = 'calibrate clean drain replace adjust tighten inspect lubricate flush align'.split(' ');
const ADJECTIVES = 'copper upper outer silent main spare short amber heavy inner'.split(' ');
const NOUNS = 'valve pump gasket lever filter hinge sensor nozzle bearing spring'.split(' ');
const PLACES = 'under the panel,behind the grille,next to the tank,at the rear,above the drain'.split(',');

export async function openManual({ pages, sections, sentences, links }: ManualSize): Promise<Manual> {
  const tasks = Array.from({ length: pages * sections }, (_, i) => taskOf(i));
  const pageOf = (page: number) => {
    const own = tasks.slice(page * sections, (page + 1) * sections);
    const parts = own.map((task, i) => `<h2>How to ${task}</h2><p>${textOf(task, page * sections + i, sentences)}</p>`);
    return `<!doctype html><html lang="en"><head><title>Chapter ${page + 1}</title></head><body>${navigation(page)}<main><h1>Chapter ${page + 1}</h1>${parts.join('')}</main></body></html>`;
  };
  const linkTo = (page: number) => `<a href="/${page || ''}">${page + 1}</a>`;
  const toAll = Array.from({ length: pages }, (_, page) => linkTo(page));
  const navigation = (page: number) => {
    const some = links === undefined ? toAll : toAll.slice(page * links + 1, (page + 1) * links + 1);
    return `<nav>${some.join(' ')}</nav>`;
  };
  const paths = Array.from({ length: pages }, (_, page) => `/${page || ''}`);
  const bodies = new Map(paths.map((path, page) => [path, pageOf(page)]));
  const refused = new Set<string>();
  let served = 0;
  const server = createServer(({ url }, response) => {
    const body = bodies.get(url!);
    if (body) served++;
    if (refused.has(url!)) response.writeHead(503).end();
    else response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    questions: tasks.map((task) => `How do I ${task}?`),
    get served() {
      return served;
    },
    refuse(share) {
      for (const [page, path] of paths.entries())
        if (page > 0 && Math.floor(page * share) > Math.floor((page - 1) * share)) refused.add(path);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Distinct for up to 5,000 sections. */
function taskOf(i: number): string {
  const pick = (words: string[], divisor: number) => words[Math.floor(i / divisor) % words.length]!;
  return `${pick(VERBS, 1)} the ${pick(ADJECTIVES, 10)} ${pick(NOUNS, 100)} ${pick(PLACES, 1_000)}`;
}

function textOf(task: string, i: number, sentences: number): string {
  const steps = Array.from({ length: sentences - 1 }, (_, step) => {
    const other = taskOf((i * 7 + step * 13) % 5_000);
    return `Step ${step + 1} takes about ${(i % 9) + step + 2} minutes: before you ${task}, check whether you also have to ${other}.`;
  });
  return [...steps, EVERYWHERE].join(' ');
}
