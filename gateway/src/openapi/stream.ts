import { z } from 'zod';
import type { NamedRoute } from '../route.ts';
import { eventText, type StreamEvent } from '../streaming.ts';
import type { Json, Schemas } from './schemas.ts';

/** The stream of events that a route may answer with, by its media type; nothing for other routes. */
export function streamContent({ stream, response }: NamedRoute, schemas: Schemas): Json {
  if (!stream) return {};
  const { id, examples } = response!.meta()! as { id: string; examples: unknown[] };
  const [data] = examples;
  const example: StreamEvent[] = [...stream.whole(data), { event: 'done', data }];
  const known = { ...stream.events, done: response!, error: FAILED };
  const [first, ...others] = Object.entries(known).map(([event, data]) => z.object({ event: z.literal(event), data }));
  const event = z.discriminatedUnion('event', [first!, ...others]).meta({
    description: 'An event of a stream: its name, and its data, which is sent as JSON.',
    examples: example,
  });
  const schema = {
    type: 'string',
    description: 'Server-Sent Events, of which `done` or `error` is the last. Comments keep the connection alive.',
    contentMediaType: EVENTS_TYPE,
    contentSchema: schemas.describeAs(`${id}Event`, event, 'output'),
  };
  return { [EVENTS_TYPE]: { schema, example: example.map(eventText).join(''), 'x-parley-extension': true } };
}

const EVENTS_TYPE = 'text/event-stream';

const FAILED = z
  .object({ message: z.string() })
  .meta({ description: 'Why there is no reply: the `message` that the JSON response would have had.' });
