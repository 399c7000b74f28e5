import { nearest } from './lib/nearest.ts';

/** What a watch can be limited to: the outcomes of a rollout and of a location. */
export const watchOutcomes = [
  'ready',
  'failed',
  'stale',
  'unhealthy',
  'recovered',
  'suspended',
  'resumed',
  'diverged',
  'lagging',
  'crashloop',
  'gone',
] as const;

type WatchOutcome = (typeof watchOutcomes)[number];

/** A watch from the environment, as `WATCHES` has it. */
export interface ConfiguredWatch {
  readonly org: string;
  readonly gvc: string;
  /** Absent: every workload of the GVC. */
  readonly workload?: string;
  /** Absent: the channel for notifications. */
  readonly channel?: string;
  /** Absent: every outcome. */
  readonly only?: readonly WatchOutcome[];
  /** Nothing goes beyond the card's thread. */
  readonly quiet: boolean;
}

/** `org/gvc[/workload][=CHANNEL][:outcome,outcome][!]` */
const shape =
  /^(?<org>[^/=:!]*)\/(?<gvc>[^/=:!]*)(?:\/(?<workload>[^/=:!]*))?(?:=(?<channel>[^:!]*))?(?::(?<only>[^!]*))?(?<quiet>!)?$/;

/** Names of orgs, GVCs and workloads: lower-case letters, digits and dashes. */
export const resourceName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The ids of channels, private channels and direct messages. */
export const channelId = /^[CGD][A-Z0-9]+$/;

/** What to say of a channel that is no id; the likeliest mistake is the name. */
export const channelProblem = 'give a channel id such as C0123ABC, not a name';

/**
 * Reads `WATCHES` (entries separated by `;`). What is wrong with an entry is handed to `problem`
 * with the entry's number, and the entry is left out.
 */
export function parseWatches(text: string, problem: (message: string) => void): ConfiguredWatch[] {
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
    ...(workload === undefined ? {} : { workload }),
    ...(channel === undefined ? {} : { channel }),
    ...(outcomes ? { only: outcomes.filter(isOutcome) } : {}),
    quiet: groups['quiet'] !== undefined,
  };

  const names = Object.entries({ org, gvc, workload });
  const badNames = names.filter(([, name]) => name !== undefined && !resourceName.test(name));
  return {
    watch,
    problems: [
      ...badNames.map(([kind]) => `the ${kind} must be lower-case letters, digits and dashes`),
      ...(channel === undefined || channelId.test(channel) ? [] : [channelProblem]),
      ...(outcomes ?? []).filter((outcome) => !isOutcome(outcome)).map(unknownOutcome),
    ],
  };
}

function isOutcome(text: string): text is WatchOutcome {
  return (watchOutcomes as readonly string[]).includes(text);
}

function unknownOutcome(text: string): string {
  const meant = nearest(text, watchOutcomes);
  return meant
    ? `"${text}" is no outcome, did you mean ${meant}?`
    : `"${text}" is no outcome, choose from ${watchOutcomes.join(' ')}`;
}
