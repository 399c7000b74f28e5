import type { Telemetry } from 'bullmq';
import { StartRefused } from './lib/errors.ts';

/** Spans of the jobs, sent to a collector. */
export interface Tracing {
  readonly telemetry: Telemetry;
  /** Sends the remaining spans. Never rejects. */
  stop(): Promise<void>;
}

const NAME = 'purser';

/** For one thread. @throws StartRefused when the optional packages are absent */
export async function startTracing(version: string): Promise<Tracing> {
  const {
    BullMQOtel,
    BatchSpanProcessor,
    NodeTracerProvider,
    OTLPTraceExporter,
    resourceFromAttributes,
  } = await load();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': NAME,
      'service.version': version,
    }),
    // The exporter reads the address, and the other variables of its own, from the environment.
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return {
    telemetry: new BullMQOtel({ tracerName: NAME, version }),
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

async function load() {
  try {
    const [otel, sdk, exporter, resources] = await Promise.all([
      import('bullmq-otel'),
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
    return { ...otel, ...sdk, ...exporter, ...resources };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartRefused(MISSING);
  }
}

const MISSING =
  'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed: run npm ci without --omit=optional, or unset it.';
