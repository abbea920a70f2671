import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Headers that carry a trace from one process to another, as W3C's Trace Context names them. */
export type TraceHeaders = Readonly<Record<string, string>>;

/**
 * Spans hold names of routes, methods, topics and models, and how things ended. Never what somebody wrote, an account, a
 * key or an address: traces leave the system.
 */
export interface SpanOptions {
  kind?: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
  /** The parent span; default: the active one. Empty headers start a trace. */
  from?: TraceHeaders | undefined;
  /** Default: now. */
  startedAt?: Date;
}

export interface OpenSpan {
  /** For what follows the span in another process. */
  readonly headers: TraceHeaders;
  set(attributes: Attributes): void;
  /** Runs work whose spans follow this one, and whose log lines name its trace. */
  run<T>(work: () => T): T;
  /** @param failure the kind of the failure, if it ended with one */
  end(failure?: string): void;
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
const FIELDS = ['traceparent', 'tracestate'];
/** W3C's longest, and more than a vendor needs. */
const LONGEST_FIELD = 512;

const NOTHING: OpenSpan = { headers: {}, set() {}, run: (work) => work(), end() {} };

/** Undefined unless this process is traced. Then nothing else in here costs anything. */
let tracer: Tracer | undefined;

/** Sets what creates spans; see `startTracing`. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

export const isTraced = (): boolean => tracer !== undefined;

/** Begins a span whose end is an event, not a return. */
export function beginSpan(name: string, { kind, attributes, from, startedAt }: SpanOptions = {}): OpenSpan {
  if (!tracer) return NOTHING;
  const parent = from ? propagation.extract(ROOT_CONTEXT, pick(from)) : context.active();
  const span = tracer.startSpan(
    name,
    {
      kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
      ...(attributes && { attributes }),
      ...(startedAt && { startTime: startedAt }),
    },
    parent,
  );
  return openSpan(span);
}

function openSpan(span: Span): OpenSpan {
  const own = trace.setSpan(context.active(), span);
  return {
    get headers() {
      const carrier: Record<string, string> = {};
      propagation.inject(own, carrier);
      return carrier;
    },
    set: (attributes) => void span.setAttributes(attributes),
    run: (work) => context.with(own, work),
    end(failure) {
      if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Does work within a span. A failure is recorded by its kind: its message may quote what somebody wrote. */
export async function traced<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T> {
  if (!tracer) return work(NOTHING);
  const span = beginSpan(name, options);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'error');
    throw error;
  }
}

/** Returns what carries the active span onward; empty if there is none. */
export function activeHeaders(): TraceHeaders {
  if (!tracer || !trace.getActiveSpan()) return {};
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The active span as one field of a document; undefined if there is none. */
export const activeTrace = (): string | undefined => activeHeaders()['traceparent'];

/** The trace that such a field names; undefined if there is none. */
export const headersOf = (traceparent: string | undefined): TraceHeaders | undefined =>
  traceparent === undefined ? undefined : { traceparent };

/** Returns what a log line says of the active span. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const active = tracer && trace.getActiveSpan()?.spanContext();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}

function pick(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of FIELDS) {
    const value = headers[field];
    if (typeof value === 'string' && value.length <= LONGEST_FIELD) found[field] = value;
  }
  return found;
}

/** The headers of a request that carry a trace; empty if none do. */
export const traceOf = (headers: Readonly<Record<string, unknown>>): TraceHeaders => (tracer ? pick(headers) : {});
