import { useState } from 'preact/hooks';

import { BillingLevers } from './billing-levers.tsx';
import type { Control, PlatformState, WorkloadState } from './control.ts';
import { LocationTable } from './location-table.tsx';
import { Stories } from './stories.tsx';
import { type Send, usePlatform } from './use-platform.ts';
import { CronActions, StateActions } from './workload-actions.tsx';

type Props = { readonly control: Control; readonly onClose: () => void };

/** The stand-in platform's levers: what happens here, the bot tells in the channel. */
export function PlatformPanel({ control, onClose }: Props) {
  const { state, problem, said, send } = usePlatform(control);
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
        {state !== null && <Levers state={state} said={said} send={send} />}
      </div>
    </aside>
  );
}

const clockLabel = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What is chosen, by name, so that the choice outlives every read of the state. */
type Choice = {
  readonly org: string;
  readonly gvc: string;
  readonly workload: string;
  /** Empty: all. */
  readonly location: string;
};

const NOTHING: Choice = { org: '', gvc: '', workload: '', location: '' };

type LeversProps = { readonly state: PlatformState; readonly said: string; readonly send: Send };

function Levers({ state, said, send }: LeversProps) {
  const [choice, setChoice] = useState(NOTHING);
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
          onPick={(name) => setChoice({ ...NOTHING, org: name })}
        />
        <Picker
          label="GVC"
          value={path.gvc}
          names={(org?.gvcs ?? []).map((each) => each.name)}
          onPick={(name) => setChoice({ ...NOTHING, org: path.org, gvc: name })}
        />
        <Picker
          label="Workload"
          value={workload?.name ?? ''}
          names={(gvc?.workloads ?? []).map((each) => each.name)}
          onPick={(name) => setChoice({ ...choice, ...path, workload: name })}
        />
        <Picker
          label="Location"
          value={choice.location}
          names={['', ...(gvc?.locations ?? [])]}
          onPick={(name) => setChoice({ ...choice, location: name })}
        />
      </div>
      {gvc !== undefined && workload !== undefined && (
        <WorkloadLevers
          path={path}
          location={choice.location}
          workload={workload}
          state={state}
          said={said}
          send={send}
        />
      )}
      {workload === undefined && (
        <section aria-label="Stories">
          <h3>Stories</h3>
          <p class="muted">This GVC has no workloads any more.</p>
          <p class="said" role="status">
            {said}
          </p>
        </section>
      )}
      <BillingLevers state={state} send={send} />
      <ClockLevers send={send} />
    </>
  );
}

type WorkloadProps = LeversProps & {
  readonly path: { readonly org: string; readonly gvc: string };
  readonly location: string;
  readonly workload: WorkloadState;
};

function WorkloadLevers({ path, location, workload, state, said, send }: WorkloadProps) {
  const target = { ...path, workload: workload.name };
  const place = location === '' ? target : { ...target, location };
  return (
    <>
      <LocationTable workload={workload} />
      <Stories
        stories={state.stories}
        target={place}
        isCron={workload.type === 'cron'}
        said={said}
        send={send}
      />
      {workload.type === 'cron' && <CronActions target={place} send={send} />}
      <StateActions target={place} workload={workload} send={send} />
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
            {name || 'All'}
          </option>
        ))}
      </select>
    </label>
  );
}
