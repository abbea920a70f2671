import { createParser, type EventSourceMessage } from 'eventsource-parser';

interface Event {
  event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each event has data of its own.
  data: any;
}

/** Reads a stream of Server-Sent Events whose data is JSON. Calls `alive` at the start and whenever anything arrives. */
export async function* readEvents(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<Event> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      alive();
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { event, data } of events.splice(0)) yield { event, data: JSON.parse(data) };
    }
  } finally {
    // Also when the reader has had enough: the connection is not needed any more.
    await reader.cancel().catch(() => {});
  }
}
