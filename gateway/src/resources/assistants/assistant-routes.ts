import { z } from 'zod';
import { type About, type RouteContext, route } from '../../route.ts';
import type { AssistantResource } from './kinds.ts';

interface Rpcs<A, R extends z.ZodType> {
  /** With its article, for summaries. */
  one: string;
  response: R;
  toJson(assistant: A): z.input<R>;
  list(context: RouteContext): Promise<A[]>;
  get(context: RouteContext, params: { id: string }): Promise<A>;
  remove(context: RouteContext, params: { id: string }): Promise<A>;
  removal: Pick<About, 'summary' | 'description' | 'errors'>;
}

/** Listing, reading and deleting assistants, the same for every kind. */
export function assistantRoutes<A, R extends z.ZodType>(
  { path, paths, params, scopes }: AssistantResource,
  { one, response, toJson, list, get, remove, removal }: Rpcs<A, R>,
) {
  const reading = { method: 'GET', scope: 'any key', restricted: scopes.read } as const;
  return {
    list: route({
      ...reading,
      path: paths,
      summary: `List all ${paths.slice(1).replace('-', ' ')}, newest first`,
      response: z.array(response),
      call: (_, context) => list(context),
      toJson: (assistants) => assistants.map(toJson),
    }),
    get: route({
      ...reading,
      path,
      summary: `Read ${one}`,
      params,
      response,
      call: ({ params }, context) => get(context, params),
      toJson,
    }),
    remove: route({
      method: 'DELETE',
      path,
      ...removal,
      scope: scopes.write,
      extension: true,
      params,
      response,
      call: ({ params }, context) => remove(context, params),
      toJson,
    }),
  };
}
