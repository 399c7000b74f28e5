import { useState } from 'preact/hooks';

import { executionStatuses, type WorkloadState } from './control.ts';
import type { Send } from './use-platform.ts';

type Target = {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  /** Absent: all. */
  readonly location?: string;
};
type Props = { readonly target: Target; readonly send: Send };

/** One run of a cron workload. */
export function CronActions({ target, send }: Props) {
  const [status, setStatus] = useState<string>('successful');
  return (
    <section>
      <h3>Cron</h3>
      <div class="levers">
        <button
          type="button"
          class="button small"
          onClick={() => void send('cron', { ...target, status })}
        >
          Cron run
        </button>
        <select
          aria-label="Status"
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value)}
        >
          {executionStatuses.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
    </section>
  );
}

/** What changes a workload without a rollout: reports that stop, suspension, replicas. */
export function StateActions({ target, workload, send }: Props & { workload: WorkloadState }) {
  const [replicas, setReplicas] = useState<string | null>(null);
  const wanted = replicas ?? String(workload.replicas);
  const { location, ...everywhere } = target;
  const suspended = workload.locations
    .filter(({ name }) => location === undefined || name === location)
    .every(({ scenario }) => scenario === 'suspended');
  const scale = (event: Event): void => {
    event.preventDefault();
    setReplicas(null);
    void send('scale', { ...everywhere, replicas: Number(wanted) });
  };
  const lever = (words: string, path: string, body: object) => (
    <button
      type="button"
      class="button small"
      onClick={() => void send(path, { ...target, ...body })}
    >
      {words}
    </button>
  );
  return (
    <section>
      <h3>State</h3>
      <div class="levers">
        {lever('Go stale', 'stale', { stale: true })}
        {lever('Report again', 'stale', { stale: false })}
        {suspended
          ? lever('Resume', 'suspend', { suspend: false })
          : lever('Suspend', 'suspend', { suspend: true })}
      </div>
      <form class="levers" onSubmit={scale}>
        <button type="submit" class="button small">
          Scale
        </button>
        <label class="inline">
          <span>to</span>
          <input
            type="number"
            aria-label="Replicas"
            min="0"
            max="20"
            value={wanted}
            onInput={(event) => setReplicas(event.currentTarget.value)}
          />
          <span>replicas</span>
        </label>
      </form>
    </section>
  );
}
