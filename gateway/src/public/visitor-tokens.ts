import { createSealer, type RootSecret } from '@parley/runtime';
import { HttpError } from '../http/http-error.ts';

/** Who a visitor is on the page, as far as anyone has said. What is unknown is empty. */
export interface Profile {
  name: string;
  email: string;
  userId: string;
  /** The page vouches for all of this. */
  verified: boolean;
}

/** The content of a token. */
export interface Visitor {
  id: string;
  /** The internal id of the only chatbot where the token counts. */
  chatbot: string;
  /** The visitor's conversation; absent before the first message. */
  session?: string | undefined;
  /** Who began before the first message; nothing is stored of them until then. */
  profile?: Profile | undefined;
}

export interface VisitorTokens {
  seal(visitor: Visitor): string;
  /** Throws 401 for a token that is not ours or has expired. */
  open(token: string): Visitor;
}

/** A 401 that says what would be accepted, as HTTP requires. */
export const unknownVisitor = (message: string): HttpError =>
  new HttpError(401, message, { 'WWW-Authenticate': 'Visitor-Token' });

/** Each message renews it. */
export const TOKEN_MS = 30 * 24 * 3_600_000;

/** Tokens of visitors expire, where those of tickets do not. */
export function createVisitorTokens(secret: RootSecret, clock: () => number = Date.now): VisitorTokens {
  const sealer = createSealer<Visitor & { expires: number }>(secret, 'visitor');
  return {
    seal: (visitor) => sealer.seal({ ...visitor, expires: clock() + TOKEN_MS }),
    open(token) {
      const sealed = sealer.open(token);
      if (!sealed) throw unknownVisitor('This visitor token is not valid. Begin a new conversation.');
      const { expires, ...visitor } = sealed;
      if (expires <= clock()) throw unknownVisitor('This visitor token has expired. Begin a new conversation.');
      return visitor;
    },
  };
}
