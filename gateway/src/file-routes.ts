import type { z } from 'zod';
import {
  type About,
  DEFAULTS,
  type Fields,
  type File,
  type ForKeys,
  type NoFields,
  none,
  type Route,
  type RouteContext,
  type UploadContext,
} from './route.ts';

type Download<P extends Fields, Q extends Fields> = ForKeys & {
  params: P;
  query?: Q;
  call(input: { params: z.output<P>; query: z.output<Q> }, context: RouteContext): Promise<File>;
};

/** A file for API keys. */
export const download = <P extends Fields, Q extends Fields = NoFields>(definition: Download<P, Q>): Route => ({
  ...DEFAULTS,
  ...definition,
  consumes: 'none',
  produces: 'file',
  method: 'GET',
});

type UploadDefinition<P extends Fields> = About & {
  params: P;
  call(input: { params: z.output<P> }, context: UploadContext): Promise<void>;
};

/** Receives a file at a signed address. Its `params` have the `id` of the item that the address was signed for. */
export const uploadRoute = <P extends z.ZodObject<{ id: z.ZodType<string> }>>(
  definition: UploadDefinition<P>,
): Route => ({
  ...DEFAULTS,
  ...definition,
  access: 'upload',
  consumes: 'upload',
  method: 'PUT',
});

/** A file that anybody may read. */
export const openFile = <P extends Fields = NoFields>(
  path: string,
  summary: string,
  call: (input: { params: z.output<P> }) => Promise<File>,
  params?: P,
): Route => ({
  ...DEFAULTS,
  access: 'none',
  consumes: 'none',
  produces: 'file',
  method: 'GET',
  path,
  summary,
  call,
  params: params ?? none,
});
