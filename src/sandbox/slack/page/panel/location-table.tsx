import type { LocationState, WorkloadState } from './control.ts';

/** The locations of a workload as the platform has them now. */
export function LocationTable({ workload }: { workload: WorkloadState }) {
  return (
    <section>
      <h3>
        {workload.name}
        <small>
          v{workload.version} · {workload.type} · {workload.replicas}{' '}
          {workload.replicas === 1 ? 'replica' : 'replicas'}
        </small>
      </h3>
      <table class="locations" aria-label={`Locations of ${workload.name}`}>
        <tbody>
          {workload.locations.map((location) => (
            <LocationRow key={location.name} location={location} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LocationRow({ location }: { location: LocationState }) {
  const { words, tone } = stateOf(location);
  return (
    <tr>
      <th scope="row">{location.name}</th>
      <td>
        <span class={`state ${tone}`}>{words}</span>
        {location.message !== '' && <small>{location.message}</small>}
      </td>
    </tr>
  );
}

/** Of the scenarios whose names do not say enough. */
const SCENARIO_WORDS: Readonly<Partial<Record<string, string>>> = {
  oom: 'out of memory',
  'exec-format': 'wrong architecture',
  probe: 'failing probe',
  hang: 'never ready',
  'held-image': 'image not pulled, still deploying',
  'held-secret': 'secret missing, still deploying',
  'held-quota': 'quota reached, still deploying',
  'ready-at-none': 'ready without a replica',
  silent: 'no new report',
  absent: 'not listed',
};

type Tone = 'green' | 'blue' | 'red' | 'grey';

/** What the stand-in plays, in the words and the colour of the table. */
function stateOf({ scenario, ready, deploying }: LocationState): { words: string; tone: Tone } {
  const words = SCENARIO_WORDS[scenario] ?? scenario.replaceAll('-', ' ');
  switch (scenario) {
    case 'steady':
      return ready ? { words: 'ready', tone: 'green' } : { words: 'not ready', tone: 'red' };
    case 'rolling-out':
      if (deploying) return { words: 'deploying', tone: 'blue' };
      return ready ? { words: 'ready', tone: 'green' } : { words: 'pending', tone: 'blue' };
    case 'starting':
      return { words, tone: 'blue' };
    case 'suspended':
    case 'scaled-to-zero':
    case 'silent':
    case 'absent':
    case 'stale':
      return { words, tone: 'grey' };
    default:
      return { words, tone: 'red' };
  }
}
