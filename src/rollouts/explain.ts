import type { Container } from '../platform/deployments/deployment.ts';
import type { Facts } from './facts.ts';

/** What a record remembers of restarts from the poll before. */
export interface RestartsBefore {
  restarts: number;
}

/**
 * Restarts that count as an explanation: more than at the last poll, or one since the version began
 * here. The exit code is no signal: a crash loop can show 0 and `Completed`.
 */
export function restartedLately(facts: Facts, before: RestartsBefore | undefined): boolean {
  const entry = facts.entry;
  if (entry === undefined || entry.restarts === 0) return false;
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
  const said = entry.messages.length > 0 ? entry.messages : entry.containerMessages;
  const restarts = restartedLately(facts, before) ? restartSentence(entry.containers) : '';
  // Out of memory is the cause; "back-off restarting" beside it is only what followed.
  if (/OOMKilled/.test(restarts)) return restarts;
  return said.length > 0 ? said.join('; ') : restarts;
}

/** Why a record is not ready (design section 4, "Explanation"); '' when nothing says. */
export function explanation(facts: Facts, before: RestartsBefore | undefined): string {
  return entryExplanation(facts, before) || facts.message;
}

function restartSentence(containers: readonly Container[]): string {
  const worst = containers.reduce<Container | undefined>(
    (most, container) =>
      (container.restarts?.count ?? 0) > (most?.restarts?.count ?? 0) ? container : most,
    undefined,
  );
  const restarts = worst?.restarts;
  if (worst === undefined || restarts === undefined) return '';
  const count = containers.reduce((sum, container) => sum + (container.restarts?.count ?? 0), 0);
  const details = [
    restarts.reason,
    restarts.exitCode === undefined ? '' : `exit code ${restarts.exitCode}`,
    restarts.reason === 'OOMKilled' && worst.memory !== undefined
      ? `memory limit ${worst.memory} MiB`
      : '',
  ].filter((detail) => detail !== '');
  const times = count === 1 ? '1 restart' : `${count} restarts`;
  const suffix = details.length > 0 ? ` (${details.join(', ')})` : '';
  return `container ${worst.name}: ${times}${suffix}`;
}

const INITIALIZING = /^\W*replicas?(\(s\))?\s*(is|are)?\s*(still\s*)?initiali[sz]ing\W*$/i;

/** A message that says more than that replicas are initializing. */
export function saysMoreThanInitializing(facts: Facts): boolean {
  return [
    ...(facts.entry?.messages ?? []),
    ...(facts.entry?.containerMessages ?? []),
    facts.message,
  ].some((message) => message !== '' && !INITIALIZING.test(message));
}
