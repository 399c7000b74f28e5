import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Checked, Finding } from '../../platform/workload/finding.ts';
import { button, context, section, SIGN } from '../../slack/kit/blocks.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  LIMITS,
  Mrkdwn,
  mrkdwn,
  withCode,
} from '../../slack/kit/text.ts';
import type { Answer, Rest } from '../../slack/routing/routes.ts';
import { lineSections } from '../answer-parts.ts';

export const CHECK_ACTION = 'workload.check';

const MAX_NAMES = 3;

const HEADINGS: Readonly<Record<Finding['severity'], Mrkdwn>> = {
  error: mrkdwn`*Errors*`,
  warning: mrkdwn`*Warnings*, worth a second look`,
  note: mrkdwn`*Notes*, good to know`,
};

const SEVERITIES = ['error', 'warning', 'note'] as const;

/** Characters for the findings, and for the names of unchecked fields. */
interface Room {
  readonly findings: number;
  readonly names: number;
}

/** Room in a message, and in a window. */
const SHORT: Room = { findings: 9_000, names: 1_000 };
const WHOLE: Room = { findings: 60_000, names: 8_000 };

/** The answer to `/workload check`: the verdict, then errors first; a button opens what a message does not take. Pure. */
export function checkAnswer({
  checked,
  prefix,
}: {
  readonly checked: Checked;
  readonly prefix: string;
}): Answer {
  const short = blocksOf(checked, prefix, SHORT);
  const whole = blocksOf(checked, prefix, WHOLE);
  const isCut = JSON.stringify(short).length < JSON.stringify(whole).length;
  return {
    blocks: short,
    ...(isCut ? { rest: { ...restOf(checked), blocks: whole } } : {}),
    buttons: [button({ action: CHECK_ACTION, text: 'Check another' })],
    shareable: true,
    needs: 'orgs',
  };
}

function restOf({ findings, fields }: Checked): Pick<Rest, 'button' | 'title'> {
  const count = findings.length > 0 ? findings.length : fields.unchecked.length;
  return {
    button: `Show all (${count})`,
    title: findings.length > 0 ? 'All findings' : 'Not checked',
  };
}

function blocksOf(checked: Checked, prefix: string, room: Room): KnownBlock[] {
  const { head, end, more, below } = verdictOf(checked, room);
  return [
    section(mrkdwn`${head}${end}`),
    ...more.map((names) => section(names)),
    ...findingBlocks(checked, room.findings),
    ...below,
    ...closing(checked, prefix),
  ];
}

const NO_WORKLOAD = mrkdwn`There is no workload in it: a manifest has ${code('kind: workload')}, or at least ${code('spec')} or ${code('tags')} at its top.`;

interface Verdict {
  readonly head: Mrkdwn;
  /** The end of its sentence, which the top-level text omits. */
  readonly end: Mrkdwn;
  readonly more: readonly Mrkdwn[];
  readonly below: readonly KnownBlock[];
}

function verdictOf(checked: Checked, room: Room): Verdict {
  const { workloads, findings, fields } = checked;
  const alone = { end: mrkdwn``, more: [], below: [] };
  if (workloads.length === 0) return { ...alone, head: NO_WORKLOAD };
  const title = mrkdwn`*${titleOf(workloads)} ${validity(checked)}*`;
  if (findings.some(({ severity }) => severity === 'error')) {
    const head = mrkdwn`${new Mrkdwn(SIGN.wrong)} ${title}: ${joinMrkdwn(countsOf(findings), ', ')}`;
    return { ...alone, head, below: fieldBlocks(fields, room) };
  }
  if (findings.some(({ isUnknown }) => isUnknown)) {
    const head = mrkdwn`${new Mrkdwn(SIGN.wrong)} ${title}: ${joinMrkdwn(countsOf(findings), ', ')}`;
    return { ...alone, head, below: fieldBlocks(fields, room) };
  }
  if (findings.some(({ severity }) => severity === 'warning')) {
    const counts = joinMrkdwn(countsOf(findings), ', ');
    const head = isUnchecked(fields)
      ? mrkdwn`*${titleOf(workloads)}*: ${counts}; no value below ${code('spec')} could be checked`
      : mrkdwn`${title}, with ${counts}`;
    return { ...alone, head, below: fieldBlocks(fields, room) };
  }
  if (fields.total === 0) {
    const they = workloads.length === 1 ? 'it has' : 'they have';
    const head = mrkdwn`${title}: ${they} no fields below ${code('spec')}`;
    return { ...alone, head, end: mrkdwn`.` };
  }
  const tick = isComplete(checked) ? mrkdwn`${new Mrkdwn(SIGN.good)} ` : mrkdwn``;
  const head = mrkdwn`${tick}${title}: ${countOf(fields)}`;
  return { ...alone, head, ...uncheckedOf(fields, head.text, room) };
}

function titleOf(workloads: readonly string[]): Mrkdwn {
  const isUnnamed = workloads.length === 1 && workloads[0] === '';
  if (isUnnamed) return mrkdwn`A manifest without a name`;
  return mrkdwn`${workloads.length === 1 ? 'Manifest' : 'Manifests'} of ${namesOf(workloads)}`;
}

/** Claims no more than was checked. */
function validity(checked: Checked): string {
  const { findings, fields, workloads } = checked;
  const [is, was, it] = workloads.length === 1 ? ['is', 'was', 'it'] : ['are', 'were', 'they'];
  if (findings.some(({ severity }) => severity === 'error')) return `${is} not valid`;
  if (findings.some(({ isUnknown }) => isUnknown)) return `${is} likely to be refused`;
  if (isUnchecked(fields)) return `${was} not checked`;
  return isComplete(checked) ? `${is} valid` : `${is} valid as far as ${it} ${was} checked`;
}

function isUnchecked({ total, unchecked }: Fields): boolean {
  return total > 0 && unchecked.length === total;
}

function isComplete({ fields, others }: Checked): boolean {
  return fields.unchecked.length === 0 && others.length === 0;
}

function fieldBlocks(fields: Checked['fields'], room: Room): KnownBlock[] {
  if (fields.total === 0) return [];
  const count = capitalized(countOf(fields));
  const { end, more } = uncheckedOf(fields, count, room);
  return [section(mrkdwn`${count}${end}`), ...more.map((names) => section(names))];
}

/** "2 unknown fields, 1 other warning, 1 note"; beside errors, unknown fields count as warnings. */
function countsOf(findings: readonly Finding[]): Mrkdwn[] {
  const isWrong = findings.some(({ severity }) => severity === 'error');
  const unknown = isWrong ? 0 : findings.filter(({ isUnknown }) => isUnknown).length;
  const fields = unknown === 0 ? [] : [mrkdwn`${plural(unknown, 'unknown field')}`];
  const others = SEVERITIES.flatMap((severity) => {
    const all = ofSeverity(findings, severity).length;
    const isPart = severity === 'warning' && unknown > 0;
    const count = isPart ? all - unknown : all;
    return count === 0 ? [] : [mrkdwn`${plural(count, isPart ? 'other warning' : severity)}`];
  });
  return [...fields, ...others];
}

/** Each name once: "a, b and c", "a, b, c and 2 more". */
function namesOf(workloads: readonly string[]): Mrkdwn {
  const names = [...new Set(workloads)].slice(0, MAX_NAMES);
  const named = names.map((name) => {
    const count = workloads.filter((one) => one === name).length;
    if (name === '') return mrkdwn`${plural(count, 'workload')} without a name`;
    const short = mrkdwn`${name.slice(0, 100)}`;
    return count === 1 ? short : mrkdwn`${plural(count, 'workload')} named ${short}`;
  });
  const rest = workloads.filter((name) => !names.includes(name)).length;
  const last = named.at(-1);
  if (rest > 0 || last === undefined || named.length === 1) {
    return joinFirst(named, MAX_NAMES, { total: named.length + rest });
  }
  return mrkdwn`${joinMrkdwn(named.slice(0, -1), ', ')} and ${last}`;
}

function ofSeverity(findings: readonly Finding[], severity: Finding['severity']) {
  return findings.filter((one) => one.severity === severity);
}

/** A line takes at most one section. */
const MAX_LINE = LIMITS.sectionText;

/** Errors first; findings that do not fit into `room` characters are counted. */
function findingBlocks({ findings, workloads }: Checked, room: number): KnownBlock[] {
  const isNamed = new Set(workloads).size > 1;
  const left = { ...NONE };
  const blocks: KnownBlock[] = [];
  let used = 0;
  for (const severity of SEVERITIES) {
    const heading = HEADINGS[severity];
    used += heading.text.length;
    const shown: Mrkdwn[] = [];
    for (const finding of ofSeverity(findings, severity)) {
      const isFirst = blocks.length + shown.length === 0;
      const line = used > room ? undefined : findingLine(finding, isNamed);
      used += Math.min(line?.text.length ?? 0, MAX_LINE) + 1;
      // A shorter finding does not overtake one that no longer fits.
      if (line !== undefined && (used <= room || isFirst)) shown.push(line);
      else left[severity] += 1;
    }
    if (shown.length > 0) blocks.push(section(heading), ...lineSections(shown));
  }
  return [...blocks, ...restBlock(left)];
}

const NONE: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 0, note: 0 };

function restBlock(left: typeof NONE): KnownBlock[] {
  const counts = SEVERITIES.flatMap((severity) =>
    left[severity] === 0 ? [] : [mrkdwn`${plural(left[severity], `more ${severity}`)}`],
  );
  if (counts.length === 0) return [];
  return [section(mrkdwn`… and ${joinMrkdwn(counts, ', ')}`)];
}

function findingLine({ line, path, what, fix, workload }: Finding, isNamed: boolean): Mrkdwn {
  const name = isNamed && workload !== undefined ? workload.slice(0, 100) : undefined;
  const at = name === undefined ? mrkdwn`Line ${line}` : mrkdwn`*${name}*, line ${line}`;
  const place = mrkdwn`• ${at}: ${code(path, 120)} ${withCode(what.slice(0, 400))}.`;
  if (fix === undefined) return place;
  return mrkdwn`${place} ${withCode(capitalized(fix.slice(0, 300)))}.`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function closing({ workloads, others }: Checked, prefix: string): KnownBlock[] {
  const basis = mrkdwn`Checked: the names of all fields, and the values of runtime options, of ${code(`${prefix}/`)} tags and of ephemeral storage. ${code('/workload tags')} lists the tags.`;
  const texts = [
    ...(others.length === 0
      ? []
      : [
          mrkdwn`Not checked, because ${others.length === 1 ? 'it is not a workload' : 'they are not workloads'}: ${othersOf(others)}.`,
        ]),
    ...(workloads.length === 0 ? [] : [basis]),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}

const MAX_OTHERS = 12;

function othersOf(others: Checked['others']): Mrkdwn {
  const named = others.map(({ name, except }) =>
    except === undefined ? code(name, 80) : mrkdwn`${code(name, 80)} (except ${except})`,
  );
  return joinFirst(named, MAX_OTHERS, { before: ', ' });
}

type Fields = Checked['fields'];

/** "12 of 26 fields checked" */
function countOf({ total, unchecked }: Fields): string {
  const all = plural(total, 'field');
  if (unchecked.length > 0) {
    return `${(total - unchecked.length).toLocaleString('en-US')} of ${all} checked`;
  }
  if (total === 1) return 'the only field is checked';
  return total === 2 ? 'both fields are checked' : `all ${all} are checked`;
}

/** Up to this many are named one by one. */
const MAX_SINGLE = 40;

/** Characters for the words around a list. */
const AROUND_LENGTH = 100;

interface Unchecked {
  readonly end: Mrkdwn;
  /** One text per section. */
  readonly more: readonly Mrkdwn[];
}

/**
 * One by one, else with those of a list merged, else grouped by their field of `spec`.
 * @param before the sentence up to here
 */
function uncheckedOf({ unchecked }: Fields, before: string, { names: most }: Room): Unchecked {
  if (unchecked.length === 0) return { end: mrkdwn`.`, more: [] };
  const room = Math.min(most, LIMITS.sectionText - before.length - AROUND_LENGTH);
  const single = tallied(unchecked);
  const ofLists = tallied(unchecked.map((path) => path.replaceAll(/\[\d+\]/g, '[*]')));
  const names = [...(single.size > MAX_SINGLE ? ofLists : single)].map(([path, count]) =>
    withTimes(path, count),
  );
  const length = joinMrkdwn(names, ', ').text.length;
  if (length <= room) return { end: mrkdwn` · not checked: ${joinMrkdwn(names, ', ')}.`, more: [] };
  if (length > most) {
    return { end: mrkdwn` · not checked: ${inShort(unchecked, room)}.`, more: [] };
  }
  return { end: mrkdwn` · not checked:`, more: packedNames(names) };
}

function packedNames(names: readonly Mrkdwn[]): Mrkdwn[] {
  const packs: Mrkdwn[][] = [];
  let used = Infinity;
  for (const name of names) {
    used += name.text.length + 2;
    if (used > LIMITS.sectionText) {
      packs.push([]);
      used = name.text.length;
    }
    packs.at(-1)?.push(name);
  }
  return packs.map((pack) => joinMrkdwn(pack, ', '));
}

function withTimes(path: string, count: number): Mrkdwn {
  const name = code(path, MAX_PATH);
  return count === 1 ? name : mrkdwn`${name} ×${count.toLocaleString('en-US')}`;
}

const MAX_PATH = 120;

/** As many as fit; the others are counted. */
function inShort(unchecked: readonly string[], room: number): Mrkdwn {
  const shown: Mrkdwn[] = [];
  let used = 0;
  let rest = unchecked.length;
  for (const [path, count] of tallied(
    unchecked.map((each) => /^spec[.[][^.[]*/.exec(each)?.[0] ?? each),
  )) {
    const name = mrkdwn`${code(path, MAX_PATH)} (${plural(count, 'field')})`;
    used += name.text.length + 2;
    if (used > room) break;
    shown.push(name);
    rest -= count;
  }
  const more = rest === 0 ? [] : [mrkdwn`${plural(rest, 'more field')}`];
  return joinMrkdwn([...shown, ...more], ', ');
}

/** In order of first occurrence. */
function tallied(texts: readonly string[]): ReadonlyMap<string, number> {
  const tally = new Map<string, number>();
  for (const text of texts) tally.set(text, (tally.get(text) ?? 0) + 1);
  return tally;
}
