/** How much a platform says to one question of a person without any role. */
export interface Heavy {
  /** An answer to a usage query by `workload,gvc,metric,volumeIndex`, in hours. */
  readonly body: Buffer;
  readonly rows: number;
}

const HOUR_MS = 3_600_000;
const HOURS = 960;
const METRICS = ['cpu', 'memory', 'egress', 'volume-set-capacity-bytes'];

/** An answer of 40 days in hours with about so many bytes, as the platform writes them (spec 2.7, 4.5). */
export function heavyUsage(bytes: number, startMs = Date.UTC(2026, 9, 1)): Heavy {
  const perHour = Math.round(bytes / HOURS / ROW_BYTES);
  const periods = Array.from({ length: HOURS }, (_, hour) => {
    const start = startMs + hour * HOUR_MS;
    const groups = Array.from({ length: perHour }, (_, at) => groupOf(at, hour));
    const [startTime, endTime] = [start, start + HOUR_MS].map((ms) => new Date(ms).toISOString());
    return `{"startTime":"${startTime}","endTime":"${endTime}","totalSeconds":3600,"groups":[${groups.join(',')}]}`;
  });
  const rows = HOURS * perHour;
  const body = Buffer.from(`{"periods":[${periods.join(',')}],"consumptionCount":${rows}}`);
  return { body, rows };
}

/** An answer of as many rows as so many bytes can hold, which takes far more memory than its size. */
export function denseUsage(bytes: number, startMs = Date.UTC(2026, 9, 1)): Buffer {
  const row = '{"value":1.5,"tags":{}},';
  const rows = row.repeat(Math.floor(bytes / row.length)).slice(0, -1);
  const [startTime, endTime] = [startMs, startMs + HOUR_MS].map((ms) => new Date(ms).toISOString());
  const group = `{"key":{},"consumptions":[${rows}]}`;
  return Buffer.from(
    `{"periods":[{"startTime":"${startTime}","endTime":"${endTime}","groups":[${group}]}]}`,
  );
}

/** The approximate size of a row. */
const ROW_BYTES = 314;

function groupOf(at: number, hour: number): string {
  const metric = METRICS[at % METRICS.length];
  const key = `"workload":"workload-${at % 400}","gvc":"gvc-number-${at % 17}","metric":"${metric}","volumeIndex":"${at % 3}"`;
  const value = `${1_234_567 + 17 * at + 3 * hour}.123456789`;
  const tags = `{${key},"feature":"workloads","locationType":"aws","performanceClass":"default"}`;
  return `{"key":{${key}},"consumptions":[{"value":${value},"tags":${tags}}]}`;
}
