/** An event of a stream. */
export interface Event {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
}

/** The events in the text of a whole stream, without its comments. */
export const eventsIn = (text: string): Event[] =>
  text.split('\n\n').flatMap((block) => {
    if (block === '' || block.startsWith(':')) return [];
    const found = /^event: (\w+)\ndata: (.*)$/.exec(block);
    if (!found) throw new Error(`This is no event: ${block}`);
    return [{ event: found[1]!, data: JSON.parse(found[2]!) }];
  });

/** Instead of `fetch`: asks for a stream, and returns what JSON would have been. */
export async function fetchStreamed(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, headers: { ...init.headers, accept: 'text/event-stream' } });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const last = eventsIn(await response.text()).at(-1);
  if (last?.event !== 'done') throw new Error(`The stream ended with ${JSON.stringify(last)}.`);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify({ success: true, data: last.data }), { status: response.status, headers });
}
