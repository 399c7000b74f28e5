import { plural } from '../../lib/text.ts';
import type { Container } from '../../platform/deployments/deployment.ts';
import type { Facts } from './facts.ts';

/** What a record remembers of restarts from the poll before. */
export interface RestartsBefore {
  /** Of all containers together. */
  restarts: number;
  /** By container; absent where none had restarted. */
  counts?: Counts;
}

/** Restarts of each container that has any; names are foreign, so this is no object. */
export type Counts = readonly (readonly [container: string, count: number])[];

/** Of the same containers in several zones the restarts are added. */
export function countsOf(containers: readonly Container[]): Counts {
  const counts = new Map<string, number>();
  for (const { name, restarts } of containers) {
    if (!restarts?.count) continue;
    counts.set(name, (counts.get(name) ?? 0) + restarts.count);
  }
  return [...counts];
}

/** By how many restarts each container has risen since the poll before; those that have not are left out. */
export function risen(facts: Facts, before: RestartsBefore | undefined): Counts {
  if (facts.entry === undefined || before === undefined) return [];
  // An earlier release kept the sum alone.
  if (before.counts === undefined && before.restarts > 0) {
    const by = facts.entry.restarts - before.restarts;
    return by > 0 ? [['', by]] : [];
  }
  const was = new Map(before.counts);
  return countsOf(facts.entry.containers)
    .map(([name, count]) => [name, count - (was.get(name) ?? 0)] as const)
    .filter(([, by]) => by > 0);
}

/**
 * Restarts that count as an explanation: more than at the last poll, or one since the version began
 * here. The exit code is no signal: a crash loop can show 0 and `Completed`.
 */
function restartedLately(facts: Facts, before: RestartsBefore | undefined): boolean {
  const entry = facts.entry;
  if (entry === undefined) return false;
  if (risen(facts, before).length > 0) return true;
  return (
    entry.lastRestartTime !== undefined &&
    entry.created !== undefined &&
    entry.lastRestartTime > entry.created
  );
}

/** The expected version's own explanation: its message, else its containers', else restarts; '' when there is none. */
export function entryExplanation(facts: Facts, before: RestartsBefore | undefined): string {
  const entry = facts.entry;
  if (entry === undefined) return '';
  const said = messageOf(facts);
  const lately = restartedLately(facts, before);
  if (!lately && !FOLLOWS_RESTARTS.test(said)) return said;
  const restarts = restartSentence(lastRestartOf(entry.containers, risen(facts, before)));
  // Out of memory is the cause; "back-off restarting" beside it is only what followed.
  if (restarts.includes(OUT_OF_MEMORY)) return restarts;
  return said !== '' || !lately ? said : restarts;
}

/** What the expected version or else its containers say, as far as it explains anything. */
function messageOf({ entry }: Facts): string {
  const own = entry?.messages.filter(explains) ?? [];
  const all = own.length > 0 ? own : (entry?.containerMessages.filter(explains) ?? []);
  return all.join('; ');
}

const OUT_OF_MEMORY = 'OOMKilled';

/** Words of a message that only tell that containers stopped, so that the reason is worth a look. */
const FOLLOWS_RESTARTS = /OOMKilled|out of memory|back-?off|restart/i;

/** Why a record is not ready (design section 4, "Explanation"); '' when nothing says. */
export function explanation(facts: Facts, before: RestartsBefore | undefined): string {
  return entryExplanation(facts, before) || statusMessage(facts);
}

/** The same without restarts: what stopped before a workload was scaled to zero is over. */
export function messageExplanation(facts: Facts): string {
  return messageOf(facts) || statusMessage(facts);
}

/** What the location says of itself (`status.message`), as far as it explains anything. */
export function statusMessage({ message }: Pick<Facts, 'message'>): string {
  return explains(message) ? message : '';
}

/** How a container stopped last. */
export interface LastRestart {
  container: string;
  /** '' when none is given. */
  reason: string;
  exitCode?: number;
  /** Its limit in MiB. */
  memory?: number;
}

/** The container that has just restarted most stands for all, else the one that did so last, or most often. */
export function lastRestartOf(
  containers: readonly Container[],
  just: Counts,
): { last: LastRestart; count: number } | undefined {
  const by = new Map(just);
  const weights = ({ name, restarts }: Container): number[] => [
    by.get(name) ?? 0,
    restarts?.lastRestartTime ?? 0,
    restarts?.count ?? 0,
  ];
  const [worst] = containers
    .filter(({ restarts }) => restarts !== undefined)
    .toSorted((a, b) => {
      const own = weights(a);
      return weights(b).reduce((more, weight, place) => more || weight - (own[place] ?? 0), 0);
    });
  if (worst?.restarts === undefined) return undefined;
  const { count = 0, exitCode, reason } = worst.restarts;
  const last = {
    container: worst.name,
    reason,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(worst.memory === undefined ? {} : { memory: worst.memory }),
  };
  return { last, count };
}

function restartSentence(worst: ReturnType<typeof lastRestartOf>): string {
  if (worst === undefined) return '';
  const { last, count } = worst;
  const details = [
    last.reason,
    last.exitCode === undefined ? '' : `exit code ${last.exitCode}`,
    last.memory === undefined ? '' : `memory limit ${last.memory} MiB`,
  ].filter((detail) => detail !== '');
  const times = count === 0 ? 'restarted' : plural(count, 'restart');
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `container ${last.container}: ${times}${suffix}`;
}

const INITIALIZING_WORDS = new Set(
  'replica replicas s is are still initializing initialising of'.split(' '),
);

/** Whether a message says more than that replicas are initializing, which is no explanation. */
function explains(message: string): boolean {
  const words = message.toLowerCase().match(/\p{L}+/gu);
  return words === null ? message !== '' : words.some((word) => !INITIALIZING_WORDS.has(word));
}

/** Any message of a record says more than that replicas are initializing. */
export function saysMoreThanInitializing({ entry, message }: Facts): boolean {
  return [...(entry?.messages ?? []), ...(entry?.containerMessages ?? []), message].some(explains);
}

/** The expected version says that replicas are initializing, and nothing else. */
export function onlyInitializing({ entry }: Facts): boolean {
  const messages = entry?.messages ?? [];
  return messages.length > 0 && !messages.some(explains);
}

/** Something says that replicas are initializing, and nothing says more. */
export function isInitializing(facts: Facts): boolean {
  const { entry, message } = facts;
  const said = [...(entry?.messages ?? []), ...(entry?.containerMessages ?? []), message];
  return said.some((text) => text !== '') && !saysMoreThanInitializing(facts);
}
