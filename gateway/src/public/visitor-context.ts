import type { TicketTokens } from '@parley/runtime';
import type { FormBody } from '../http/form-body.ts';
import type { BoundServices } from '../services.ts';
import type { Embedded, EmbeddedForm } from './finders.ts';
import type { Visitor, VisitorTokens } from './visitor-tokens.ts';

/** The second argument of the `call` of a route for visitors. */
export interface VisitorContext extends BoundServices, Embedded {
  /** Who holds the token; absent for a new visitor. */
  visitor?: Visitor | undefined;
  /** The id that a new visitor gets: the same on every retry. */
  newVisitor: string;
  tokens: VisitorTokens;
  /** Counts a message or a change; throws 429 if a limit is reached. */
  spend(what: 'message' | 'change'): Promise<void>;
}

/** The same for ticket forms and their tickets. */
export interface FormContext extends BoundServices, EmbeddedForm {
  /** Reads tokens of visitors of chatbots, whose conversations may come along. */
  tokens: VisitorTokens;
  ticketTokens: TicketTokens;
  /** The files of a filled-in form. */
  files: FormBody | undefined;
  /** Counts a message; throws 429 if a limit is reached. */
  spend(): Promise<void>;
}
