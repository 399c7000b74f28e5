import { nearest } from '../../lib/nearest.ts';
import { either, error, found, note, spoken, warning } from './check-found.ts';
import type { Judgment } from './check-found.ts';
import type { Finding } from './finding.ts';
import { isStated } from './manifest/node.ts';
import type { ManifestNode, ValueNode } from './manifest/node.ts';
import { MAX_TIMEOUT_SECONDS, RETRY_CONDITIONS } from './options.ts';
import type { OptionValue } from './options.ts';

type Of<Kind extends OptionValue['kind']> = Extract<OptionValue, { kind: Kind }>;

/** Whether a value is one that the option takes. Pure. @param override the tag for longer requests */
export function valueFindings(
  node: ManifestNode,
  takes: OptionValue,
  override: string,
): readonly Finding[] {
  if (takes.kind === 'texts' && isStated(node)) return textsFindings(node);
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
      return [];
    case 'seconds':
    case 'integer':
      return numberJudgments(node, takes, override);
  }
}

function noBoolean(node: ValueNode): Judgment {
  const meant = /^(true|yes|on)$/i.test(node.text) ? 'true' : 'false';
  const isMeant = /^(true|false|yes|no|on|off)$/i.test(node.text);
  const fix = isMeant ? `write ${meant}, without quotes` : 'write true or false, without quotes';
  return error(`is ${textual(node)}, but takes true or false`, fix);
}

/** Quotes are what makes `"true"` a text, so they are what is spoken of. */
function textual(node: ValueNode): string {
  return typeof node.value === 'string' ? `the text ${spoken(node)}` : spoken(node);
}

function noneOf(node: ValueNode, values: readonly string[]): Judgment {
  const meant = nearest(node.text, values);
  const fix = meant === undefined ? `write ${either(values)}` : `write ${meant}`;
  return error(`is ${spoken(node)}, but takes ${either(values)}`, fix);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

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
    ? `write ${max} or less, or use the tag ${override} for up to 3600 seconds`
    : `write ${example(takes)}`;
  return [error(`is ${spoken(node)}, but takes ${wanted(takes)}`, fix)];
}

const PERCENTAGE = /^\d+(\.\d+)?%$/;

function replicasJudgments(node: ValueNode): Judgment[] {
  const { text, value } = node;
  if (typeof value === 'string' && PERCENTAGE.test(text)) return [];
  const number = numberOf(node);
  if (number === undefined || number < 0) {
    const compact = text.replace(/\s+/g, '');
    const fix = PERCENTAGE.test(compact)
      ? `write "${compact}"`
      : 'write a number of replicas such as 1, or a percentage such as "25%"';
    return [error(`is ${spoken(node)}, but takes ${wanted({ kind: 'replicas' })}`, fix)];
  }
  if (!Number.isInteger(number)) {
    return [
      warning(
        `is ${spoken(node)}, which is no whole number of replicas`,
        'write a whole number, or a percentage such as "25%"',
      ),
    ];
  }
  return quoted(node);
}

function textsFindings(node: ManifestNode): readonly Finding[] {
  const list = 'a list of conditions and status codes, as text';
  if (node.kind !== 'list') {
    return [
      found(
        node,
        error(`is ${spoken(node)}, but takes ${list}`, 'write - in front of each, a line for each'),
      ),
    ];
  }
  return node.items.flatMap((item) => {
    if (item.kind !== 'value' || item.value === null) {
      return [
        found(
          item,
          error(
            `is ${spoken(item)}, but takes a condition or a status code, as text`,
            'write a text such as connect-failure',
          ),
        ),
      ];
    }
    if (typeof item.value !== 'string') {
      return [
        found(
          item,
          error(
            `is ${spoken(item)}, but takes text`,
            `put it in quotes: "${item.text.slice(0, 20)}"`,
          ),
        ),
      ];
    }
    const near = nearest(item.text, RETRY_CONDITIONS);
    if (near === undefined || near === item.text) return [];
    return [
      found(
        item,
        note(
          `is ${spoken(item)}, which is no condition of the default`,
          `write ${near} if that is meant`,
        ),
      ),
    ];
  });
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
  }
}

function example(takes: OptionValue): string {
  switch (takes.kind) {
    case 'seconds':
      return 'a number such as 30';
    case 'integer':
      return takes.max === undefined ? 'a whole number such as 2' : 'a whole number such as 30';
    case 'replicas':
      return 'a number such as 1, or a percentage such as "25%"';
    case 'enum':
    case 'boolean':
    case 'texts':
      return wanted(takes);
  }
}
