import { nearest } from '../../lib/nearest.ts';
import { copied, either, error, found, note, shortened, spoken, warning } from './check-found.ts';
import type { Judgment, Nearest } from './check-found.ts';
import type { Finding } from './finding.ts';
import { isStated } from './manifest/node.ts';
import type { ManifestNode, ValueNode } from './manifest/node.ts';
import { MAX_TIMEOUT_SECONDS, RETRY_CONDITIONS } from './options.ts';
import type { OptionValue } from './options.ts';

type Of<Kind extends OptionValue['kind']> = Extract<OptionValue, { kind: Kind }>;

/** What judging a value takes besides it. */
export interface ValueDeps {
  /** The tag for longer requests. */
  readonly override: string;
  readonly nearest: Nearest;
}

/** Whether a value is one that the option takes. Pure. */
export function valueFindings(
  node: ManifestNode,
  takes: OptionValue,
  { override, nearest: near }: ValueDeps,
): readonly Finding[] {
  if (takes.kind === 'anything') return [];
  if (takes.kind === 'texts' && isStated(node)) return textsFindings(node, near);
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
  return judgments(node, takes, override).map((judgment) => found(node, judgment));
}

function judgments(node: ValueNode, takes: OptionValue, override: string): readonly Judgment[] {
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
    case 'integer':
      return numberJudgments(node, takes, override);
  }
}

function noBoolean(node: ValueNode): Judgment {
  const meant = /^(true|yes|on)$/i.test(node.text) ? 'true' : 'false';
  const isMeant = /^(true|false|yes|no|on|off)$/i.test(node.text);
  const fix = isMeant ? copied(meant) : either(['true', 'false'].map(copied));
  return error(`is ${textual(node)}, but takes true or false`, `write ${fix}, without quotes`);
}

/** Quotes are what makes `"true"` a text, so they are what is spoken of. */
function textual(node: ValueNode): string {
  return typeof node.value === 'string' ? `the text ${spoken(node)}` : spoken(node);
}

function noneOf(node: ValueNode, values: readonly string[]): Judgment {
  const meant = nearest(node.text, values);
  const fix = meant === undefined ? either(values.map(copied)) : copied(meant);
  return error(`is ${spoken(node)}, but takes ${either(values)}`, `write ${fix}`);
}

/** Each digit has one place in it alone: a text of thousands would block the process otherwise. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that is meant, also where quotes make it a text. */
function numberOf({ value, text }: ValueNode): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && NUMBER.test(text.trim()) ? Number(text) : undefined;
}

/** The specification asks for a number, and does not say that a text is made one. */
function quoted(node: ValueNode): Judgment[] {
  if (typeof node.value !== 'string') return [];
  return [warning(`is ${textual(node)}, but takes a number`, 'leave the quotes out')];
}

function numberJudgments(
  node: ValueNode,
  takes: Of<'seconds' | 'integer'>,
  override: string,
): Judgment[] {
  const number = numberOf(node);
  const { min, max } = takes.kind === 'integer' ? takes : { min: 0, max: undefined };
  const isFit =
    number !== undefined &&
    number >= min &&
    number <= (max ?? Infinity) &&
    (takes.kind === 'seconds' || Number.isInteger(number));
  if (isFit) return quoted(node);
  const isTooLong = number !== undefined && max === MAX_TIMEOUT_SECONDS && number > max;
  const fix = isTooLong
    ? `write ${copied(String(max))} or less, or use the tag ${copied(override)} for up to 3600 seconds`
    : `write ${example(takes)}`;
  return [error(`is ${spoken(node)}, but takes ${wanted(takes)}`, fix)];
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
        `is ${spoken(node)}, which is no whole number of replicas`,
        `write a whole number, or a percentage such as ${copied('"25%"')}`,
      ),
    ];
  }
  return quoted(node);
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
  if (item.kind !== 'value' || item.value === null) {
    const what = `is ${spoken(item)}, but takes a condition or a status code, as text`;
    return [error(what, `write a text such as ${copied('connect-failure')}`)];
  }
  if (typeof item.value !== 'string') {
    const fix = `put it in quotes: ${copied(`"${shortened(item.text)}"`)}`;
    return [error(`is ${spoken(item)}, but takes text`, fix)];
  }
  const meant = near(item.text, RETRY_CONDITIONS);
  if (meant === undefined || meant === item.text) return [];
  const what = `is ${spoken(item)}, which is none of the default conditions`;
  return [note(what, `write ${copied(meant)} if that is meant`)];
}

function wanted(takes: OptionValue): string {
  switch (takes.kind) {
    case 'seconds':
      return 'a number of seconds, 0 or more';
    case 'integer':
      return takes.max === undefined
        ? `a whole number, ${takes.min} or more`
        : `${takes.min} to ${takes.max} seconds, as a whole number`;
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
    case 'integer':
      return `a whole number such as ${copied(takes.max === undefined ? '2' : '30')}`;
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
