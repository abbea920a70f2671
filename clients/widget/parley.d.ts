/** Types of `window.parley`, the JavaScript API of the chat widget. */

/** Who the visitor is. The page vouches for what it signs on its server; the rest is shown as unverified. */
export interface Identity {
  user_id?: string;
  name?: string;
  email?: string;
  /** In Unix seconds, at most a day ahead. */
  expires?: number;
  /**
   * HMAC-SHA-256 in hex, with the chatbot's identity secret, of `user_id`, `name`, `email` and `expires` joined by line
   * feeds, where absent ones are empty.
   */
  signature?: string;
}

export interface Source {
  n: number;
  title: string;
  url: string | null;
}

/** The events, and the data that each listener gets. */
export interface ParleyEvents {
  open: undefined;
  close: undefined;
  /** The visitor has sent a message. */
  question: { message: string };
  /** An answer is complete. `confidence` is null if the knowledge has none. */
  answer: { message: string; sources: Source[]; confidence: 'high' | 'low' | null };
  vote: { message_id: string; vote: 'up' | 'down' };
  /** The visitor has sent the form that leads to a person. */
  ticket: { id: string };
  /** A new conversation has begun. */
  conversation: undefined;
  /** A request was refused, or got no answer (status 0). */
  error: { status: number; message: string };
}

/** One chat on the page. */
export interface ParleyChat {
  open(): void;
  close(): void;
  /** Forgets the conversation; call it when a user logs out. */
  newConversation(): void;
  /** Tells Parley who the visitor is, as soon as the chat is opened. */
  identify(identity: Identity): void;
  /** Returns a function that ends the subscription. */
  on<K extends keyof ParleyEvents>(event: K, listener: (detail: ParleyEvents[K]) => void): () => void;
}

/** The first chat of the page, and how to reach the others. */
export interface Parley extends ParleyChat {
  /** The chat of this chatbot, by the public id of its `data-chatbot`. */
  chat(chatbot: string): ParleyChat | undefined;
}

declare global {
  interface Window {
    /** Defined as soon as `widget.js` has run; `window` gets an event `parley:ready` then. */
    parley?: Parley;
  }
}
