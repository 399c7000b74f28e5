import { useState } from 'preact/hooks';

import { BillingLevers } from './billing-levers.tsx';
import type { Control, GvcState, PlatformState, WorkloadState } from './control.ts';
import { LocationTable } from './location-table.tsx';
import { type Send, usePlatform } from './use-platform.ts';
import { CronActions, RolloutActions, StateActions } from './workload-actions.tsx';

type Props = { readonly control: Control; readonly onClose: () => void };

/** The stand-in platform's levers: what happens here, the bot tells in the channel. */
export function PlatformPanel({ control, onClose }: Props) {
  const { state, problem, send } = usePlatform(control);
  return (
    <aside class="panel" data-testid="panel" aria-label="Platform panel">
      <header class="pane-header">
        <h2>Platform</h2>
        {state !== null && <span class="topic">{clockLabel(state.now)}</span>}
        <button type="button" class="plain close" aria-label="Close panel" onClick={onClose}>
          ×
        </button>
      </header>
      <div class="panel-body">
        <p class="muted">
          The stand-in platform. Make something happen here and see what the channel says.
        </p>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {state !== null && <Levers state={state} send={send} />}
      </div>
    </aside>
  );
}

const clockLabel = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The chosen workload, by name, so that the choice outlives every read of the state. */
type Choice = { readonly org: string; readonly gvc: string; readonly workload: string };

function Levers({ state, send }: { state: PlatformState; send: Send }) {
  const [choice, setChoice] = useState<Choice>({ org: '', gvc: '', workload: '' });
  const org = state.orgs.find((each) => each.name === choice.org) ?? state.orgs[0];
  const gvc = org?.gvcs.find((each) => each.name === choice.gvc) ?? org?.gvcs[0];
  const workload =
    gvc?.workloads.find((each) => each.name === choice.workload) ?? gvc?.workloads[0];
  const path = { org: org?.name ?? '', gvc: gvc?.name ?? '' };
  return (
    <>
      <div class="pickers">
        <Picker
          label="Org"
          value={path.org}
          names={state.orgs.map((each) => each.name)}
          onPick={(name) => setChoice({ org: name, gvc: '', workload: '' })}
        />
        <Picker
          label="GVC"
          value={path.gvc}
          names={(org?.gvcs ?? []).map((each) => each.name)}
          onPick={(name) => setChoice({ ...path, gvc: name, workload: '' })}
        />
        <Picker
          label="Workload"
          value={workload?.name ?? ''}
          names={(gvc?.workloads ?? []).map((each) => each.name)}
          onPick={(name) => setChoice({ ...path, workload: name })}
        />
      </div>
      {gvc !== undefined && workload !== undefined && (
        <WorkloadLevers path={path} gvc={gvc} workload={workload} send={send} />
      )}
      <BillingLevers state={state} send={send} />
      <ClockLevers send={send} />
    </>
  );
}

type WorkloadProps = {
  readonly path: { readonly org: string; readonly gvc: string };
  readonly gvc: GvcState;
  readonly workload: WorkloadState;
  readonly send: Send;
};

function WorkloadLevers({ path, gvc, workload, send }: WorkloadProps) {
  const target = { ...path, workload: workload.name };
  return (
    <>
      <LocationTable workload={workload} />
      {workload.type === 'cron' ? (
        <CronActions target={target} send={send} />
      ) : (
        <RolloutActions target={target} send={send} />
      )}
      <StateActions target={target} workload={workload} send={send} />
      <section>
        <h3>GVC {gvc.name}</h3>
        <button type="button" class="button small" onClick={() => void send('gvc-rollout', path)}>
          Re-roll the GVC
        </button>
      </section>
    </>
  );
}

function ClockLevers({ send }: { send: Send }) {
  const advance = (seconds: number): void => void send('clock', { advanceSeconds: seconds });
  return (
    <section>
      <h3>Clock</h3>
      <div class="levers">
        <button type="button" class="button small" onClick={() => advance(45 * 60)}>
          Clock +45 min
        </button>
        <button type="button" class="button small" onClick={() => advance(24 * 3600)}>
          Clock +24 h
        </button>
      </div>
    </section>
  );
}

type PickerProps = {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly onPick: (name: string) => void;
};

function Picker({ label, value, names, onPick }: PickerProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
