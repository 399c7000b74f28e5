import { Refusal } from '../../lib/errors.ts';
import { nearest, truncate } from '../../lib/text.ts';
import type { ManifestNode } from './manifest/node.ts';

/** What `/workload check` found at one place of a manifest (spec 2.13 and 2.16). */
export interface Finding {
  /** `error`: the platform cannot do that. `warning`: it can, and it is likely not meant. `note`: good to know. */
  readonly severity: 'error' | 'warning' | 'note';
  /** `spec.defaultOptions.timeoutSeconds`, `tags["svc/protocol"]`, `spec.containers[0].cpu`. */
  readonly path: string;
  /** In the text as it was given, from 1. */
  readonly line: number;
  /** The name of the workload that it belongs to, where it has one. */
  readonly workload?: string;
  /**
   * One sentence without its end, what is wrong: "is 900, but takes 1 to 600 seconds". Here and in `fix`
   * names and what is to be written stand between backticks, and nothing else does.
   */
  readonly what: string;
  /** What to do, as a sentence without its end; a note may have none. */
  readonly fix?: string | undefined;
  /** A field that no workload is known to have there, for which the platform refuses the whole manifest. */
  readonly isUnknown?: true;
}

/** The result of a check. */
export interface Checked {
  /** In the order of the text. */
  readonly findings: readonly Finding[];
  /** Of the workloads that were read, '' for one without a name; empty: there was none. */
  readonly workloads: readonly string[];
  readonly fields: Fields;
  /** Documents that are no workload, each once. */
  readonly others: readonly Other[];
}

interface Other {
  /** `gvc shop` */
  readonly name: string;
  /** What was checked in it after all: "its load balancer". */
  readonly except?: string;
}

/** What stands below `spec` of all workloads; a list of plain values is one field. */
export interface Fields {
  readonly total: number;
  /** Of each field whose value was not checked, its path in the workload: `spec.containers[0].cpu`. */
  readonly unchecked: readonly string[];
}

/** Why a text is no manifest. */
export interface UnreadableText {
  /** From 1; a line of the text that is not empty, if there is one. */
  readonly line: number;
  /** One sentence without its end and its subject: "is indented by a tab, where YAML takes spaces". */
  readonly says: string;
}

type Severity = Finding['severity'];

/** What is wrong with a value or to be known of it, before its place is known. */
export interface Judgment {
  readonly severity: Severity;
  /** Names and what is to be written stand between backticks (`copied`), and nothing else does. */
  readonly what: string;
  readonly fix?: string | undefined;
  readonly isUnknown?: true;
}

/** A judgment at its place. */
export function found(
  { path, line }: Pick<ManifestNode, 'path' | 'line'>,
  judgment: Judgment,
): Finding {
  return { path, line, ...judgment };
}

export function error(what: string, fix: string): Judgment {
  return { severity: 'error', what, fix };
}

export function warning(what: string, fix: string): Judgment {
  return { severity: 'warning', what, fix };
}

export function note(what: string, fix?: string): Judgment {
  return { severity: 'note', what, fix };
}

/** Something that the reader may want to copy, between backticks. */
export function copied(text: string): string {
  return `\`${withoutTicks(text)}\``;
}

/** A node as it is spoken of: `900`, `"yes"`, `a list`. */
export function spoken(node: ManifestNode): string {
  if (node.kind === 'map') return 'a mapping';
  if (node.kind === 'list') return 'a list';
  if (node.value === null) return 'empty';
  const short = shortened(node.text);
  return typeof node.value === 'string' ? `"${short}"` : short;
}

/** Of a text of the manifest as much as a sentence bears. */
export function shortened(text: string): string {
  // Cut before it is counted: the text may be the whole manifest.
  return withoutTicks(truncate(text.slice(0, 2 * MAX_SPOKEN + 2), MAX_SPOKEN));
}

const MAX_SPOKEN = 60;

/** Backticks are the mark of what can be copied. */
function withoutTicks(text: string): string {
  return text.replaceAll('`', 'ˋ');
}

/** "a", "a or b", "a, b or c". */
export function either(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

/** `nearest`, for the first names of a manifest. */
export type Nearest = typeof nearest;

/** More suggestions would not be read, and comparing thousands of words takes seconds. */
const MAX_COMPARED = 50;

/**
 * For one manifest: the same word is compared once, and what comes after the first fifty words has no
 * name that is near.
 */
export function createNearest(): Nearest {
  const known = new Map<string, string | undefined>();
  return <Candidate extends string>(word: string, candidates: readonly Candidate[]) => {
    const question = JSON.stringify([word, candidates]);
    if (!known.has(question)) {
      if (known.size === MAX_COMPARED) return undefined;
      known.set(question, nearest(word, candidates));
    }
    return candidates.find((candidate) => candidate === known.get(question));
  };
}

/**
 * One letter too many, missing, changed, or swapped with its neighbour; case is ignored. It stops at the
 * second error, so that thousands of words are compared in no time.
 */
export function isOneLetterOff(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  const from = word.toLowerCase();
  const to = known.toLowerCase();
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  const isSwapped = from[at] === to[at + 1] && from[at + 1] === to[at];
  return (
    from.slice(at + 1) === to.slice(at + 1) ||
    from.slice(at + 1) === to.slice(at) ||
    from.slice(at) === to.slice(at + 1) ||
    (isSwapped && from.slice(at + 2) === to.slice(at + 2))
  );
}

/** Replicas, as a whole number, or a percentage of them with up to three decimals (spec 2.13); 0 or more. */
export interface Amount {
  readonly value: number;
  readonly percent: boolean;
}

/** The rollout options that a plan is made of (spec 2.13). */
export interface RolloutOptions {
  /** From 1 on. */
  readonly replicas: number;
  readonly maxSurge?: Amount | undefined;
  readonly maxUnavailable?: Amount | undefined;
  readonly minReadySeconds?: number | undefined;
  /** `Parallel` does not affect updates, so nothing here depends on it. */
  readonly policy?: 'OrderedReady' | 'Parallel' | undefined;
}

/** One batch: what is removed and added, and what is there while the added ones become ready. */
export interface Batch {
  readonly removed: number;
  readonly added: number;
  /** Replicas at the old and at the new version that serve. */
  readonly old: number;
  readonly fresh: number;
  /** Replicas at the new version that do not serve yet: those that were added. */
  readonly starting: number;
}

export interface RolloutPlan {
  readonly replicas: number;
  /** Replicas that may be there besides, and that may be missing, in numbers; at most all of them. */
  readonly surge: number;
  readonly unavailable: number;
  /** Neither was given: one replica more at a time is an assumption, no published default. */
  readonly assumed: boolean;
  readonly batches: readonly Batch[];
  /** Old ones that go when the last batch is ready. */
  readonly leftover: number;
  /** Fewest replicas that serve at any time. */
  readonly lowest: number;
  /** Of all batches, without the time to start; undefined: `minReadySeconds` was not given. */
  readonly minSeconds: number | undefined;
}

/**
 * The batches of an update (spec 2.13). Never are more than `replicas + surge` there, never do fewer than
 * `replicas - unavailable` serve: a batch removes as many old replicas as may go, adds as many new ones
 * as there is room for, and waits until those are ready. Percentages of the surge are rounded up, those
 * of the unavailable ones down. That a batch takes all of both, surge and unavailable ones, is an assumption.
 * @throws Refusal when neither may be even one, so that nothing could move
 */
export function planRollout(options: RolloutOptions): RolloutPlan {
  const { replicas, maxSurge, maxUnavailable, minReadySeconds } = options;
  const assumed = maxSurge === undefined && maxUnavailable === undefined;
  const surge = assumed ? 1 : Math.min(replicas, Math.ceil(inReplicas(maxSurge, replicas)));
  const unavailable = Math.min(replicas, Math.floor(inReplicas(maxUnavailable, replicas)));
  if (surge + unavailable === 0) throw stuck(options);
  const { batches, leftover } = batchesOf(replicas, surge, unavailable);
  return {
    replicas,
    surge,
    unavailable,
    assumed,
    batches,
    leftover,
    lowest: Math.min(...batches.map(({ old, fresh }) => old + fresh)),
    minSeconds: minReadySeconds === undefined ? undefined : batches.length * minReadySeconds,
  };
}

function batchesOf(replicas: number, surge: number, unavailable: number) {
  const batches: Batch[] = [];
  let old = replicas;
  let fresh = 0;
  while (fresh < replicas) {
    const removed = Math.min(old, old + fresh - (replicas - unavailable));
    old -= removed;
    const added = Math.min(replicas - fresh, replicas + surge - old - fresh);
    batches.push({ removed, added, old, fresh, starting: added });
    fresh += added;
  }
  return { batches, leftover: old };
}

/** An amount in replicas, before it is rounded; nothing is 0. */
export function inReplicas(amount: Amount | undefined, replicas: number): number {
  if (amount === undefined) return 0;
  const { value, percent } = amount;
  // In thousandths, which are whole: 32.3 % of 1,000 would be less than 323 otherwise.
  return percent ? Math.round(replicas * value * 1_000) / 100_000 : value;
}

function stuck({ replicas, maxUnavailable }: RolloutOptions): Refusal {
  const rounded =
    maxUnavailable?.percent === true && maxUnavailable.value > 0
      ? ` (${maxUnavailable.value} % of ${replicas} is less than one replica)`
      : '';
  return new Refusal(
    `With a surge of 0 and no replica that may be unavailable${rounded} nothing could be replaced: let maxSurge or maxUnavailable be at least 1.`,
  );
}
