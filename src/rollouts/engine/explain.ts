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
  const messages = entry.messages.length > 0 ? entry.messages : entry.containerMessages;
  const said = messages.join('; ');
  const lately = restartedLately(facts, before);
  if (!lately && !FOLLOWS_RESTARTS.test(said)) return said;
  const restarts = restartSentence(entry.containers);
  // Out of memory is the cause; "back-off restarting" beside it is only what followed.
  if (restarts.includes(OUT_OF_MEMORY)) return restarts;
  return said !== '' || !lately ? said : restarts;
}

const OUT_OF_MEMORY = 'OOMKilled';

/** Words of a message that only tell that containers stopped, so that the reason is worth a look. */
const FOLLOWS_RESTARTS = /OOMKilled|out of memory|back-?off|restart/i;

/** Why a record is not ready (design section 4, "Explanation"); '' when nothing says. */
export function explanation(facts: Facts, before: RestartsBefore | undefined): string {
  return entryExplanation(facts, before) || facts.message;
}

/** The container that restarted most stands for all; out of memory names the limit. */
function restartSentence(containers: readonly Container[]): string {
  const restarted = containers.flatMap(({ name, memory, restarts }) =>
    restarts === undefined ? [] : [{ name, memory, ...restarts, count: restarts.count ?? 0 }],
  );
  const [worst] = [...restarted].sort((a, b) => b.count - a.count);
  if (worst === undefined) return '';
  const details = [
    worst.reason,
    worst.exitCode === undefined ? '' : `exit code ${worst.exitCode}`,
    worst.reason === OUT_OF_MEMORY && worst.memory !== undefined
      ? `memory limit ${worst.memory} MiB`
      : '',
  ].filter((detail) => detail !== '');
  const count = restarted.reduce((total, container) => total + container.count, 0);
  const times = count === 0 ? 'restarted' : plural(count, 'restart');
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `container ${worst.name}: ${times}${suffix}`;
}

const INITIALIZING_WORDS = new Set(
  'replica replicas s is are still initializing initialising of'.split(' '),
);

/** A message that says more than that replicas are initializing. */
export function saysMoreThanInitializing(facts: Facts): boolean {
  const messages = [
    ...(facts.entry?.messages ?? []),
    ...(facts.entry?.containerMessages ?? []),
    facts.message,
  ];
  const words = messages.flatMap((message) => message.toLowerCase().match(/\p{L}+/gu) ?? []);
  return words.some((word) => !INITIALIZING_WORDS.has(word));
}
