import type { z } from 'zod';
import {
  type About,
  type Answered,
  type Called,
  type Fields,
  type NoFields,
  type Route,
  route,
  type Streamed,
} from '../route.ts';
import type { FormContext, VisitorContext } from './visitor-context.ts';

type Definition<P extends Fields, B extends Fields, T> = Omit<About, 'renew' | 'showsSecret' | 'extension'> &
  Called<P, NoFields, B, T, VisitorContext> &
  Pick<Route, 'visitor'>;

/** A route for browsers, below `/public/v1`: no API key, but pages of allowed origins only. */
export function visitorRoute<T, R extends z.ZodType, P extends Fields, B extends Fields = NoFields>(
  definition: Definition<P, B, T> & Answered<T, R, VisitorContext> & Streamed<P, NoFields, B, T, R, VisitorContext>,
): Route;
export function visitorRoute<P extends Fields, B extends Fields = NoFields>(
  definition: Definition<P, B, unknown>,
): Route;
export function visitorRoute(definition: object): Route {
  // What `route` makes of a definition depends on neither its context nor its scope.
  const make = route as unknown as (definition: object) => Route;
  return { ...make(definition), access: 'visitor', extension: true };
}

type FormDefinition<P extends Fields, B extends Fields, T> = Omit<About, 'renew' | 'showsSecret' | 'extension'> &
  Called<P, NoFields, B, T, FormContext> &
  Required<Pick<Route, 'shows'>> &
  Partial<Pick<Route, 'consumes'>>;

/** The same for ticket forms and their tickets. */
export function formRoute<T, R extends z.ZodType, P extends Fields, B extends Fields = NoFields>(
  definition: FormDefinition<P, B, T> & Answered<T, R, FormContext>,
): Route;
export function formRoute<P extends Fields, B extends Fields = NoFields>(
  definition: FormDefinition<P, B, unknown>,
): Route;
export function formRoute(definition: object): Route {
  return visitorRoute(definition as Parameters<typeof visitorRoute>[0]);
}
