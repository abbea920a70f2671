import type { Access, Method, Route } from '../route.ts';
import type { Found, Middleware } from './state.ts';

/** Routes by path prefix. */
type RoutesByPrefix = Record<string, readonly Route[]>;

/** Looks up the route and refuses nothing: later middleware decides who may learn what exists. */
export function find(routes: RoutesByPrefix): Middleware {
  const lookUp = createLookUp(routes);
  return async function find(ctx, next) {
    ctx.state.found = lookUp(ctx.method, ctx.path ?? '');
    await next();
  };
}

/**
 * Paths are case-sensitive. A trailing slash makes no difference. An empty segment in place of an id matches, so that a
 * client that forgot the id gets an error about a malformed id.
 */
export function createLookUp(routes: RoutesByPrefix): (method: string, path: string) => Found {
  const byLength = new Map<number, Template[]>();
  for (const template of Object.entries(routes).flatMap(templatesOf)) {
    const { length } = template.segments;
    byLength.set(
      length,
      [...(byLength.get(length) ?? []), template].sort((a, b) => a.ids - b.ids),
    );
  }
  // One more than any route has; further segments make no difference.
  const maxSegments = Math.max(...byLength.keys()) + 1;
  const matching = (path: string) => {
    const segments = path.split('/', maxSegments);
    const templates = (byLength.get(segments.length) ?? []).filter((t) => matches(t, segments));
    return { segments, templates };
  };

  return (method, path) => {
    let { segments, templates } = matching(path.replace(/(?<=.)\/$/, ''));
    if (templates.length === 0) ({ segments, templates } = matching(path));
    const wanted = method === 'HEAD' ? 'GET' : method;
    const template = templates.find((t) => t.methods.has(wanted as Method)) ?? templates[0];
    const route = template?.methods.get(wanted as Method);
    const any = route ?? template?.methods.values().next().value;
    return {
      template: template?.path ?? 'unknown',
      access: any?.access ?? accessOf(path),
      ...(any?.shows && { shows: any.shows }),
      allow: allowed(templates.flatMap((t) => [...t.methods.keys()])),
      ...(route && { route }),
      params: template ? paramsOf(template, segments) : {},
    };
  };
}

/** Callers need no key to learn that a public path does not exist. */
const accessOf = (path: string): Access => (path.startsWith('/public/') ? 'none' : 'key');

interface Template {
  path: string;
  segments: string[];
  /** How many of the segments are ids. */
  ids: number;
  methods: Map<Method, Route>;
}

function templatesOf([prefix, routes]: [string, readonly Route[]]): Template[] {
  return [...new Set(routes.map((route) => route.path))].map((path) => {
    const segments = `${prefix}${path}`.split('/');
    const there = routes.filter((route) => route.path === path);
    const methods = new Map(there.map((route) => [route.method, route]));
    return { path: segments.join('/'), segments, ids: segments.filter(isId).length, methods };
  });
}

const isId = (segment: string): boolean => segment.startsWith(':');

const matches = (template: Template, segments: string[]): boolean =>
  template.segments.every((expected, i) => isId(expected) || expected === segments[i]);

const paramsOf = (template: Template, segments: string[]): Record<string, string> =>
  Object.fromEntries(
    template.segments.flatMap((name, i) => (isId(name) ? [[name.slice(1), decode(segments[i]!)]] : [])),
  );

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function allowed(methods: Method[]): string[] {
  if (methods.length === 0) return [];
  return [...new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort();
}
