import { nearest } from '../lib/words.ts';
import { RESOURCE_NAME, RESOURCE_NAME_RULE } from '../platform/deployments/target.ts';

/** Every filter word of a watch (design section 4). */
export const OUTCOMES = [
  'ready',
  'failed',
  'stuck',
  'stale',
  'unhealthy',
  'recovered',
  'suspended',
  'resumed',
  'crashloop',
  'gone',
] as const;

export type OutcomeWord = (typeof OUTCOMES)[number];

export interface ConfiguredWatch {
  readonly org: string;
  readonly gvc: string;
  /** Absent: every workload of the GVC. */
  readonly workload?: string | undefined;
  /** Absent: the channel for notifications. */
  readonly channel?: string | undefined;
  /** Absent: every outcome. */
  readonly only?: readonly OutcomeWord[] | undefined;
  /** Replies stay in the card's thread. */
  readonly quiet: boolean;
}

/** `org/gvc[/workload][=CHANNEL][:outcome,outcome][!]` */
const shape =
  /^(?<org>[^/=:!]*)\/(?<gvc>[^/=:!]*)(?:\/(?<workload>[^/=:!]*))?(?:=(?<channel>[^:!]*))?(?::(?<only>[^!]*))?(?<quiet>!)?$/;

/** The ids of channels, private channels and direct messages. */
export const channelId = /^[CGD][A-Z0-9]+$/;

/** For a channel that is no id; the likeliest mistake is the name. */
export const channelProblem = 'give a channel id such as C0123ABC, not a name';

/**
 * Reads `WATCHES` (entries separated by `;`). Problems go to `problem` with the entry's number, and the entry is left
 * out.
 */
export function parseWatches(
  text: string,
  problem: (message: string) => void,
): readonly ConfiguredWatch[] {
  const entries = text.split(';').map((entry) => entry.trim());

  return entries.flatMap((entry, index) => {
    if (entry === '') return [];
    const { watch, problems } = parseWatch(entry);
    for (const message of problems) problem(`entry ${index + 1}: ${message}`);
    return watch && problems.length === 0 ? [watch] : [];
  });
}

function parseWatch(entry: string): { watch?: ConfiguredWatch; problems: string[] } {
  const groups = shape.exec(entry)?.groups;
  if (!groups) {
    return { problems: ['write it as org/gvc[/workload][=CHANNEL][:outcome,outcome][!]'] };
  }

  const { org = '', gvc = '', workload, channel, only } = groups;
  const outcomes = only?.split(',').map((outcome) => outcome.trim());
  const watch: ConfiguredWatch = {
    org,
    gvc,
    workload,
    channel,
    only: outcomes?.filter(isOutcome),
    quiet: groups['quiet'] !== undefined,
  };

  const names = Object.entries({ org, gvc, workload });
  const badNames = names.filter(([, name]) => name !== undefined && !RESOURCE_NAME.test(name));
  return {
    watch,
    problems: [
      ...badNames.map(([kind]) => `the ${kind} must be a name of ${RESOURCE_NAME_RULE}`),
      ...(channel === undefined || channelId.test(channel) ? [] : [channelProblem]),
      ...(outcomes ?? []).filter((outcome) => !isOutcome(outcome)).map(unknownOutcome),
    ],
  };
}

function isOutcome(text: string): text is OutcomeWord {
  return (OUTCOMES as readonly string[]).includes(text);
}

function unknownOutcome(text: string): string {
  const meant = nearest(text, OUTCOMES);
  return meant
    ? `"${text}" is not an outcome, did you mean ${meant}?`
    : `"${text}" is not an outcome, choose from ${OUTCOMES.join(' ')}`;
}
