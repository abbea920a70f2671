import type { z } from 'zod';
import type { BoundServices } from './services.ts';

/** One event of a stream. Its data is sent as JSON. */
export interface StreamEvent {
  event: string;
  data: unknown;
  /** Where a client goes on that lost its connection: it sends the last one as `Last-Event-ID`. */
  id?: string;
}

/** An event as it is sent. */
export const eventText = ({ event, data, id }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * How a JSON route also answers as a stream of events, for clients that prefer one. The stream ends with `done`, which has
 * the `data` of the JSON response, or with `error`.
 */
export interface Streaming {
  /** The schemas of what comes before the last event, by the event's name. */
  events: Record<string, z.ZodType>;
  /** Yields what comes before the last event, and returns the `data` of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: as in `Route`.
  call(input: any, context: any): AsyncGenerator<StreamEvent, unknown>;
  /** It goes on for long: an account may have only so many, and its key is checked again and again. */
  lasting?: true;
  /** The events before the last one, if the response is already complete. */
  // biome-ignore lint/suspicious/noExplicitAny: as in `Route`.
  whole(data: any): StreamEvent[];
}

/** Sends events to a client that prefers them to JSON. */
export interface Events {
  /** Sends the headers with the first event. Resolves when the client has room for more; throws if it is gone. */
  send(event: StreamEvent): Promise<void>;
}

/** The needs of a stream that goes on for longer than a request may take. */
export interface Lasting {
  /** The header `Last-Event-ID`. */
  lastEventId: string | undefined;
  /**
   * The services again, with a new deadline; undefined once the stream has lasted long enough, or the gateway stops.
   *
   * @throws AppError `unauthenticated` if the key has ceased to be valid.
   */
  again(): Promise<BoundServices | undefined>;
}
