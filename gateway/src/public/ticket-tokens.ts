import { createSealer, type Sealer } from './sealer.ts';

/** What the token of a ticket says: the person who opened it may read it and write in it. */
export interface TicketToken {
  account: string;
  /** Internal ids. */
  form: string;
  ticket: string;
}

export type TicketTokens = Sealer<TicketToken>;

/** They hold as long as the ticket: a person may come back to it after months. */
export const createTicketTokens = (secret: string): TicketTokens => createSealer(secret, 'ticket');
