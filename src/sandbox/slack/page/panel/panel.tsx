import { useState } from 'preact/hooks';

import { useBoot } from '../context.ts';
import type { Control, GvcState, PlatformState } from './control.ts';
import { LocationTable } from './location-table.tsx';
import { Requests } from './requests.tsx';
import { Stories } from './stories.tsx';
import { type Send, usePlatform } from './use-platform.ts';

type Props = { readonly control: Control; readonly onClose: () => void };

/** The stand-in platform's levers: what happens here, the bot posts in the channel. */
export function PlatformPanel({ control, onClose }: Props) {
  const { state, problem, said, send, run } = usePlatform(control);
  const { demo } = useBoot();
  return (
    <aside class="panel" data-testid="panel" aria-label="Platform panel">
      <header class="pane-header">
        <h2>Platform</h2>
        {state !== null && <span class="topic">{clockLabel(state.now)}</span>}
        <button type="button" class="plain close" aria-label="Close panel" onClick={onClose}>
          ×
        </button>
      </header>
      <div class="panel-body" tabIndex={0} role="group" aria-label="Levers">
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {state !== null && <Levers state={state} said={said} send={send} />}
        {state !== null && <ClockLevers now={state.now} send={send} />}
        {demo !== null && (
          <section>
            <h3>Processes</h3>
            <div class="levers">
              <Restart name="worker" run={() => run(() => control.restart('worker'))} />
              {demo.redis_stays === null ? (
                <Restart name="Redis" run={() => run(() => control.restart('redis'))} />
              ) : (
                <p class="muted">{demo.redis_stays}</p>
              )}
            </div>
          </section>
        )}
        <Requests control={control} />
      </div>
    </aside>
  );
}

const clockLabel = (now: number): string =>
  `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The chosen entry by its name, which outlives every read of the state. */
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
  const path = { org: org?.name ?? '', gvc: gvc?.name ?? '', workload: workload?.name ?? '' };
  const { location } = choice;
  const names = { orgs: state.orgs.map(({ name }) => name), gvcs: org?.gvcs ?? [], gvc };
  return (
    <>
      <Stories
        state={state}
        target={workload && { ...path, ...(location !== '' && { location }) }}
        isCron={workload?.type === 'cron'}
        said={said}
        send={send}
      />
      <details class="where">
        <summary>
          Where: {path.gvc}/{path.workload}, {location || 'all locations'}
        </summary>
        <Pickers choice={{ ...path, location }} names={names} onPick={setChoice} />
        {workload !== undefined && <LocationTable workload={workload} />}
      </details>
    </>
  );
}

type PickersProps = {
  readonly choice: Choice;
  readonly names: {
    readonly orgs: readonly string[];
    readonly gvcs: readonly GvcState[];
    readonly gvc: GvcState | undefined;
  };
  readonly onPick: (choice: Choice) => void;
};

function Pickers({ choice, names: { orgs, gvcs, gvc }, onPick }: PickersProps) {
  const { org, location } = choice;
  const pick = (change: Partial<Choice>) => onPick({ ...choice, ...change });
  return (
    <div class="pickers">
      <Picker
        label="Org"
        value={org}
        names={orgs}
        onPick={(name) => onPick({ ...NOTHING, org: name })}
      />
      <Picker
        label="GVC"
        value={choice.gvc}
        names={gvcs.map(({ name }) => name)}
        onPick={(name) => onPick({ ...NOTHING, org, gvc: name })}
      />
      <Picker
        label="Workload"
        value={choice.workload}
        names={(gvc?.workloads ?? []).map(({ name }) => name)}
        onPick={(name) => pick({ workload: name })}
      />
      <Picker
        label="Location"
        value={location}
        names={['', ...(gvc?.locations ?? [])]}
        onPick={(name) => pick({ location: name })}
      />
    </div>
  );
}

const HOUR_S = 3_600;

/** Moves the clock of the platform; in the demo those of Slack and of the bot go along. */
function ClockLevers({ now, send }: { now: number; send: Send }) {
  const month = new Date(now);
  month.setUTCMonth(month.getUTCMonth() + 1);
  const moves = [
    ['+1 hour', HOUR_S],
    ['+1 day', 24 * HOUR_S],
    ['+1 month', (month.getTime() - now) / 1_000],
  ] as const;
  return (
    <section>
      <h3>Clock</h3>
      <div class="levers">
        {moves.map(([words, advanceSeconds]) => (
          <button
            key={words}
            type="button"
            class="button small"
            onClick={() => void send('clock', { advanceSeconds })}
          >
            {words}
          </button>
        ))}
      </div>
    </section>
  );
}

function Restart({ name, run }: { name: string; run: () => Promise<boolean> }) {
  const [words, setWords] = useState('');
  const restart = async (): Promise<void> => {
    setWords(`${name} is restarting …`);
    setWords((await run()) ? `${name} runs again` : '');
  };
  return (
    <>
      <button type="button" class="button small" onClick={() => void restart()}>
        Restart {name}
      </button>
      <span class="muted" role="status">
        {words}
      </span>
    </>
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
