import type { BoundServices } from '../services.ts';
import type { Embedded } from './find-chatbot.ts';
import type { Visitor, VisitorTokens } from './visitor-tokens.ts';

/** What the `call` of a route for visitors gets besides its input. */
export interface VisitorContext extends BoundServices, Embedded {
  /** Of the token; absent for a new visitor. */
  visitor?: Visitor | undefined;
  /** The id that a new visitor gets: the same on every retry. */
  newVisitor: string;
  tokens: VisitorTokens;
  /** Counts a message or a change; throws 429 if a limit is reached. */
  spend(what: 'message' | 'change'): Promise<void>;
}
