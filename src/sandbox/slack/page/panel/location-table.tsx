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

/** Of the scenarios whose names need a sentence. */
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

const GREY = ['suspended', 'scaled-to-zero', 'silent', 'absent', 'stale'];

/** The played state, in the words and the colour of the table. */
function stateOf({ scenario, ready, deploying }: LocationState): { words: string; tone: string } {
  const isRolling = scenario === 'rolling-out';
  if (isRolling && deploying) return { words: 'deploying', tone: 'blue' };
  if (ready && (isRolling || scenario === 'steady')) return { words: 'ready', tone: 'green' };
  if (isRolling) return { words: 'pending', tone: 'blue' };
  if (scenario === 'steady') return { words: 'not ready', tone: 'red' };
  const words = SCENARIO_WORDS[scenario] ?? scenario.replaceAll('-', ' ');
  if (scenario === 'starting') return { words, tone: 'blue' };
  return { words, tone: GREY.includes(scenario) ? 'grey' : 'red' };
}
