import { context, propagation, trace } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { Variables } from '../env.ts';
import { VERSION } from '../release.ts';
import { traceWith } from './tracing.ts';

const STOP_MS = 5_000;

/** Returns whether OpenTelemetry's variables ask for traces. */
const isAsked = (variables: Variables): boolean => {
  const [exporter, disabled] = [variables['OTEL_TRACES_EXPORTER'], variables['OTEL_SDK_DISABLED']];
  if (exporter === 'none' || disabled?.toLowerCase() === 'true') return false;
  const endpoints = [variables['OTEL_EXPORTER_OTLP_ENDPOINT'], variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']];
  return exporter === 'otlp' || endpoints.some(Boolean);
};

/**
 * Sends traces to where OpenTelemetry's variables say, over OTLP/HTTP in JSON. Without them it loads nothing. The exporter and
 * the resource read their variables from the environment themselves. What can't be sent is dropped.
 *
 * @returns what sends the rest and ends it; undefined if nothing is traced
 */
export async function startTracing(variables: Variables): Promise<(() => Promise<void>) | undefined> {
  if (!isAsked(variables)) return undefined;
  const [sdk, { OTLPTraceExporter }, hooks, { W3CTraceContextPropagator }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
  ]);
  const own = resources.resourceFromAttributes({ 'service.name': 'parley', 'service.version': VERSION });
  const delay = Number(variables['OTEL_BSP_SCHEDULE_DELAY']);
  const provider = new sdk.TracerProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: samplerOf(sdk, variables['OTEL_TRACES_SAMPLER'], variables['OTEL_TRACES_SAMPLER_ARG']),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        ...(delay > 0 && { scheduledDelayMillis: delay }),
      }),
    ],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  traceWith(provider.getTracer('parley', VERSION));
  return async () => {
    traceWith(undefined);
    const late = new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
    await Promise.race([provider.shutdown().catch(() => {}), late]);
    for (const api of [context, propagation, trace]) api.disable();
  };
}

type Sdk = typeof import('@opentelemetry/sdk-trace');

/** The sampler that the specification gives this name; by default all that a sampled request leads to, and what begins here. */
function samplerOf(sdk: Sdk, name = 'parentbased_always_on', ratio = '1'): Sampler {
  const [, parentBased, kind] = /^(parentbased_)?(.*)$/.exec(name)!;
  const root =
    kind === 'always_off'
      ? new sdk.AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new sdk.TraceIdRatioBasedSampler(Number(ratio))
        : new sdk.AlwaysOnSampler();
  return parentBased ? new sdk.ParentBasedSampler({ root }) : root;
}
