import { nearest } from '../../lib/text.ts';
import {
  copied,
  either,
  error,
  found,
  note,
  shortened,
  spoken,
  warning,
  type Finding,
  type Judgment,
  type Nearest,
} from './finding.ts';
import { isStated, isTemplate, type ManifestNode, type ValueNode } from './manifest/node.ts';

/** Values of a runtime option (spec 2.13). */
type OptionValue =
  /** Seconds, 0 or more. */
  | { readonly kind: 'seconds' }
  /** Whole numbers, 0 or more. */
  | { readonly kind: 'count' }
  /** A number of replicas, or a percentage: `2`, `"50%"`. */
  | { readonly kind: 'replicas' }
  /** Seconds of a request, at least 1; the maximum depends on the type of the workload. */
  | { readonly kind: 'timeout' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'texts' }
  /** The specification states no type: any value is fine. */
  | { readonly kind: 'anything' };

/** One row of spec 2.13, or another field that is checked. */
interface OptionRule {
  /** From the top of the manifest. */
  readonly path: readonly [string, string, ...string[]];
  readonly value: OptionValue;
  /** As text; absent: no default in the specification. */
  readonly default?: string;
}

export const RETRY_CONDITIONS = [
  'connect-failure',
  'refused-stream',
  'unavailable',
  'cancelled',
  'resource-exhausted',
  'retriable-status-codes',
] as const;

/** Maximum of `spec.defaultOptions.timeoutSeconds`. */
export const MAX_TIMEOUT_SECONDS = 600;
/** Maximum by any source, or by a tag, in seconds. */
const MAX_OVERRIDE_SECONDS = 3_600;

/** The runtime options of a workload (spec 2.13), and two fields that other checks depend on. */
export const OPTIONS: readonly OptionRule[] = [
  {
    path: ['spec', 'rolloutOptions', 'minReadySeconds'],
    value: { kind: 'seconds' },
  },
  {
    path: ['spec', 'rolloutOptions', 'maxUnavailableReplicas'],
    value: { kind: 'replicas' },
  },
  {
    path: ['spec', 'rolloutOptions', 'maxSurgeReplicas'],
    value: { kind: 'replicas' },
  },
  {
    path: ['spec', 'rolloutOptions', 'scalingPolicy'],
    value: { kind: 'enum', values: ['OrderedReady', 'Parallel'] },
    default: 'OrderedReady',
  },
  {
    path: ['spec', 'rolloutOptions', 'terminationGracePeriodSeconds'],
    value: { kind: 'seconds' },
  },
  {
    path: ['spec', 'requestRetryPolicy', 'attempts'],
    value: { kind: 'count' },
    default: '2',
  },
  {
    path: ['spec', 'requestRetryPolicy', 'retryOn'],
    value: { kind: 'texts' },
    default: RETRY_CONDITIONS.join(', '),
  },
  {
    path: ['spec', 'defaultOptions', 'suspend'],
    value: { kind: 'boolean' },
  },
  {
    path: ['spec', 'defaultOptions', 'timeoutSeconds'],
    value: { kind: 'timeout' },
  },
  {
    path: ['spec', 'defaultOptions', 'multiZone', 'enabled'],
    value: { kind: 'boolean' },
    default: 'false',
  },
  {
    path: ['spec', 'defaultOptions', 'debug'],
    value: { kind: 'anything' },
  },
  {
    path: ['spec', 'type'],
    value: { kind: 'enum', values: ['serverless', 'standard', 'stateful', 'cron', 'vm'] },
  },
  {
    path: ['spec', 'loadBalancer', 'direct', 'enabled'],
    value: { kind: 'boolean' },
  },
];

interface ValueContext {
  readonly override: string;
  readonly type: string | undefined;
  readonly nearest: Nearest;
}

export function valueFindings(
  node: ManifestNode,
  takes: OptionValue,
  context: ValueContext,
): readonly Finding[] {
  if (takes.kind === 'anything' || isTemplate(node)) return [];
  if (takes.kind === 'texts' && isStated(node)) return textsFindings(node, context.nearest);
  if (!isStated(node)) {
    return [
      found(node, warning(`is empty, but takes ${wanted(takes)}`, 'fill it in, or leave it out')),
    ];
  }
  if (node.kind !== 'value') {
    return [
      found(
        node,
        error(`is ${spoken(node)}, but takes ${wanted(takes)}`, `write ${example(takes)}`),
      ),
    ];
  }
  return judgments(node, takes, context).map((judgment) => found(node, judgment));
}

function judgments(
  node: ValueNode,
  takes: OptionValue,
  context: ValueContext,
): readonly Judgment[] {
  switch (takes.kind) {
    case 'boolean':
      return typeof node.value === 'boolean' ? [] : [noBoolean(node)];
    case 'enum':
      return takes.values.includes(node.text) ? [] : [noneOf(node, takes.values)];
    case 'replicas':
      return replicasJudgments(node);
    case 'texts':
    case 'anything':
      return [];
    case 'seconds':
    case 'count':
      return numberJudgments(node, takes);
    case 'timeout':
      return timeoutJudgments(node, context);
  }
}

function noBoolean(node: ValueNode): Judgment {
  const meant = /^(true|yes|on)$/i.test(node.text) ? 'true' : 'false';
  const isMeant = /^(true|false|yes|no|on|off)$/i.test(node.text);
  const fix = isMeant ? copied(meant) : either(['true', 'false'].map(copied));
  return error(`is ${textual(node)}, but takes true or false`, `write ${fix}, without quotes`);
}

/** `"true"` is a text because of its quotes, so the sentence mentions them. */
function textual(node: ValueNode): string {
  return typeof node.value === 'string' ? `the text ${spoken(node)}` : spoken(node);
}

function noneOf(node: ValueNode, values: readonly string[]): Judgment {
  const meant = nearest(node.text, values);
  const fix = meant === undefined ? either(values.map(copied)) : copied(meant);
  return error(`is ${spoken(node)}, but takes ${either(values)}`, `write ${fix}`);
}

/** Linear: a text of thousands of digits would block the process otherwise. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The intended number, even if it is quoted. */
function numberOf({ value, text }: ValueNode): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMBER.test(text.trim()) ? Number(text) : undefined;
}

/** The specification requires a number, but many working charts quote it. */
function quoted(node: ValueNode): Judgment[] {
  if (typeof node.value !== 'string') return [];
  return [note(`is ${textual(node)}, where a number is meant`, 'leave the quotes out')];
}

function numberJudgments(node: ValueNode, takes: OptionValue): Judgment[] {
  const number = numberOf(node);
  const isFit = number !== undefined && number >= 0;
  if (isFit && (takes.kind === 'seconds' || Number.isInteger(number))) return quoted(node);
  return [notTaken(node, takes)];
}

function notTaken(node: ValueNode, takes: OptionValue): Judgment {
  return error(`is ${spoken(node)}, but takes ${wanted(takes)}`, `write ${example(takes)}`);
}

function timeoutJudgments(node: ValueNode, context: ValueContext): Judgment[] {
  const number = numberOf(node);
  if (number === undefined || number < 1 || !Number.isInteger(number)) {
    return [notTaken(node, { kind: 'timeout' })];
  }
  const isLong = number > MAX_TIMEOUT_SECONDS;
  return [...(isLong ? [longTimeout(node, number, context)] : []), ...quoted(node)];
}

/** Sources disagree on the maximum, which depends on the type of the workload. */
function longTimeout(node: ValueNode, seconds: number, { override, type }: ValueContext): Judgment {
  const fix = `write ${copied(`${MAX_TIMEOUT_SECONDS}`)} or less, or use the tag ${copied(override)} for up to ${MAX_OVERRIDE_SECONDS} seconds`;
  const isServerless = type === undefined || type === 'serverless';
  if (isServerless || seconds > MAX_OVERRIDE_SECONDS) {
    const most = isServerless ? MAX_TIMEOUT_SECONDS : MAX_OVERRIDE_SECONDS;
    return error(`is ${spoken(node)}, but takes 1 to ${most} seconds, as a whole number`, fix);
  }
  if (type === 'cron') return note(`is ${spoken(node)}, and a cron workload ignores it`);
  return warning(
    `is ${spoken(node)}, and sources disagree on whether it may be more than ${MAX_TIMEOUT_SECONDS} seconds here`,
    fix,
  );
}

const PERCENTAGE = /^\d+(\.\d+)?%$/;

function replicasJudgments(node: ValueNode): Judgment[] {
  const { text, value } = node;
  if (typeof value === 'string' && PERCENTAGE.test(text)) return percentageJudgments(node);
  const number = numberOf(node);
  if (number === undefined || number < 0) {
    const compact = text.slice(0, 20).replace(/\s+/g, '');
    const fix = PERCENTAGE.test(compact)
      ? `write ${copied(`"${compact}"`)}`
      : `write ${example({ kind: 'replicas' })}`;
    return [error(`is ${spoken(node)}, but takes ${wanted({ kind: 'replicas' })}`, fix)];
  }
  if (!Number.isInteger(number)) {
    return [
      warning(
        `is ${spoken(node)}, which is not a whole number of replicas`,
        `write a whole number, or a percentage such as ${copied('"25%"')}`,
      ),
    ];
  }
  return [];
}

function percentageJudgments(node: ValueNode): Judgment[] {
  if (Number.parseFloat(node.text) <= 100) return [];
  const fix = `write ${copied('"100%"')} or less, or a number of replicas`;
  return [warning(`is ${spoken(node)}, which is more than all replicas together`, fix)];
}

function textsFindings(node: ManifestNode, near: Nearest): readonly Finding[] {
  if (node.kind !== 'list') {
    const what = `is ${spoken(node)}, but takes a list of conditions and status codes`;
    return [found(node, error(what, `write a line for each, such as ${copied('- unavailable')}`))];
  }
  return node.items.flatMap((item) =>
    textJudgments(item, near).map((judgment) => found(item, judgment)),
  );
}

function textJudgments(item: ManifestNode, near: Nearest): Judgment[] {
  if (isTemplate(item)) return [];
  if (item.kind !== 'value' || item.value === null) {
    const what = `is ${spoken(item)}, but takes a condition or a status code, as text`;
    return [error(what, `write a text such as ${copied('connect-failure')}`)];
  }
  if (typeof item.value !== 'string') {
    const fix = `put it in quotes: ${copied(`"${shortened(item.text)}"`)}`;
    return [error(`is ${spoken(item)}, but takes text`, fix)];
  }
  // Valid values must not use up the limited comparisons.
  if (RETRY_CONDITIONS.some((condition) => condition === item.text)) return [];
  const meant = near(item.text, RETRY_CONDITIONS);
  if (meant === undefined) return [];
  const what = `is ${spoken(item)}, which is none of the default conditions`;
  return [note(what, `write ${copied(meant)} if that is meant`)];
}

function wanted(takes: OptionValue): string {
  switch (takes.kind) {
    case 'seconds':
      return 'a number of seconds, 0 or more';
    case 'count':
      return 'a whole number, 0 or more';
    case 'timeout':
      return `1 to ${MAX_TIMEOUT_SECONDS} seconds, as a whole number`;
    case 'replicas':
      return 'a number of replicas or a percentage, 0 or more';
    case 'enum':
      return either(takes.values);
    case 'boolean':
      return 'true or false';
    case 'texts':
      return 'a list of texts';
    case 'anything':
      return 'a value';
  }
}

function example(takes: OptionValue): string {
  switch (takes.kind) {
    case 'seconds':
      return `a number such as ${copied('30')}`;
    case 'count':
      return `a whole number such as ${copied('2')}`;
    case 'timeout':
      return `a whole number such as ${copied('30')}`;
    case 'replicas':
      return `a number such as ${copied('1')}, or a percentage such as ${copied('"25%"')}`;
    case 'enum':
      return either(takes.values.map(copied));
    case 'boolean':
      return either(['true', 'false'].map(copied));
    case 'texts':
    case 'anything':
      return wanted(takes);
  }
}
