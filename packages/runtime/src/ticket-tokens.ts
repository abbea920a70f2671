import type { RootSecret } from './derive-key.ts';
import { createSealer, type Sealer } from './sealer.ts';

/** The content of a ticket's token: the person who opened it may read it and write in it. */
export interface TicketToken {
  account: string;
  /** Internal ids. */
  form: string;
  ticket: string;
  /** How many times the links of the ticket had been revoked. */
  link: number;
}

export type TicketTokens = Sealer<TicketToken>;

/** They hold until they are revoked: a person may come back to a ticket after months. */
export const createTicketTokens = (secret: RootSecret): TicketTokens => createSealer(secret, 'ticket');
