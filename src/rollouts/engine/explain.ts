import { plural } from '../../lib/text.ts';
import type { Container } from '../../platform/deployments/deployment.ts';
import type { Facts } from './facts.ts';

/** What a record remembers of restarts from the poll before. */
export interface RestartsBefore {
  restarts: number;
}

/**
 * Restarts that count as an explanation: more than at the last poll, or one since the version began
 * here. The exit code is no signal: a crash loop can show 0 and `Completed`.
 */
function restartedLately(facts: Facts, before: RestartsBefore | undefined): boolean {
  const entry = facts.entry;
  if (entry === undefined) return false;
  if (before !== undefined && entry.restarts > before.restarts) return true;
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
  const restarts = restartSentence(entry.containers);
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

/** The last restart of the container that restarted most. */
export interface LastRestart {
  container: string;
  /** '' when none is given. */
  reason: string;
  exitCode?: number;
  /** Its limit in MiB. */
  memory?: number;
}

/** The container that restarted most stands for all; undefined when none did. */
export function lastRestartOf(containers: readonly Container[]): LastRestart | undefined {
  const [worst] = containers
    .filter(({ restarts }) => restarts !== undefined)
    .toSorted((a, b) => (b.restarts?.count ?? 0) - (a.restarts?.count ?? 0));
  if (worst?.restarts === undefined) return undefined;
  const { exitCode, reason } = worst.restarts;
  return {
    container: worst.name,
    reason,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(worst.memory === undefined ? {} : { memory: worst.memory }),
  };
}

function restartSentence(containers: readonly Container[]): string {
  const worst = lastRestartOf(containers);
  if (worst === undefined) return '';
  const details = [
    worst.reason,
    worst.exitCode === undefined ? '' : `exit code ${worst.exitCode}`,
    worst.memory === undefined ? '' : `memory limit ${worst.memory} MiB`,
  ].filter((detail) => detail !== '');
  const count = containers.reduce((total, { restarts }) => total + (restarts?.count ?? 0), 0);
  const times = count === 0 ? 'restarted' : plural(count, 'restart');
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `container ${worst.container}: ${times}${suffix}`;
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
