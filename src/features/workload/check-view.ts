import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Checked, Finding } from '../../platform/workload/finding.ts';
import { countOf, noMistakeIn, uncheckedOf } from './check-fields-view.ts';
import {
  button,
  code,
  context,
  joinMrkdwn,
  LIMITS,
  mrkdwn,
  section,
  topText,
} from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';

/** Of the form, and of the buttons that open it. */
export const CHECK_ACTION = 'workload.check';

export interface CheckView {
  readonly checked: Checked;
  /** Of the brand. */
  readonly prefix: string;
}

const MAX_NAMES = 3;

const HEADINGS: Readonly<Record<Finding['severity'], Mrkdwn>> = {
  error: mrkdwn`:no_entry: *Errors*: to be mended`,
  warning: mrkdwn`:warning: *Warnings*: worth a second look`,
  note: mrkdwn`:information_source: *Notes*: good to know`,
};
const SEVERITIES = ['error', 'warning', 'note'] as const;

/** What `/workload check` answers. Pure. */
export function checkAnswer({ checked, prefix }: CheckView): Answer {
  const { head, end, more, below } = verdictOf(checked);
  const above = [section(mrkdwn`${head}${end}`), ...more.map((names) => section(names))];
  const rest = [...below, ...closing(checked, prefix)];
  const around = JSON.stringify([above, rest]);
  return {
    text: topText(head),
    blocks: [
      ...above,
      ...findingBlocks(checked, LIMITS.messageCharacters - REST_LENGTH - around.length),
      ...rest,
    ],
    buttons: [button({ action: CHECK_ACTION, text: 'Check another' })],
    shareable: true,
    needs: 'orgs',
  };
}

const NO_WORKLOAD = mrkdwn`:grey_question: There is no workload in it: a manifest has ${code('kind: workload')}, or at least ${code('spec')} or ${code('tags')} at its top.`;

interface Verdict {
  readonly head: Mrkdwn;
  /** The end of its sentence, which is not for the top-level text. */
  readonly end: Mrkdwn;
  /** What the sentence has no room for. */
  readonly more: readonly Mrkdwn[];
  /** What stands below the findings. */
  readonly below: readonly KnownBlock[];
}

function verdictOf(checked: Checked): Verdict {
  const { workloads, findings, fields, others } = checked;
  const alone = { end: mrkdwn``, more: [], below: [] };
  if (workloads.length === 0) return { ...alone, head: NO_WORKLOAD };
  const isUnnamed = workloads.length === 1 && workloads[0] === '';
  const title = isUnnamed
    ? mrkdwn`*A manifest without a name*`
    : mrkdwn`*Manifest of ${namesOf(workloads)}*`;
  if (findings.some(({ severity }) => severity !== 'note')) {
    const head = mrkdwn`${title}: ${joinMrkdwn(countsOf(findings), ', ')}`;
    return { ...alone, head, below: fields.total === 0 ? [] : fieldBlocks(fields) };
  }
  if (fields.total === 0) {
    const head = mrkdwn`${title}: no mistake, and no fields below ${code('spec')}`;
    return { ...alone, head, end: mrkdwn`.` };
  }
  const isAll = fields.unchecked.length === 0 && others.length === 0;
  const head = mrkdwn`${isAll ? TICK : mrkdwn``}${title}: ${countOf(fields)}${noMistakeIn(fields)}`;
  return { ...alone, head, ...uncheckedOf(fields, head.text) };
}

function fieldBlocks(fields: Checked['fields']): KnownBlock[] {
  const count = capitalized(countOf(fields));
  const { end, more } = uncheckedOf(fields, count);
  return [section(mrkdwn`${count}${end}`), ...more.map((names) => section(names))];
}

const TICK = mrkdwn`:white_check_mark: `;

function countsOf(findings: readonly Finding[]): Mrkdwn[] {
  return SEVERITIES.flatMap((severity) => {
    const count = ofSeverity(findings, severity).length;
    return count === 0 ? [] : [mrkdwn`${plural(count, severity)}`];
  });
}

/** Each name once. */
function namesOf(workloads: readonly string[]): Mrkdwn {
  const names = [...new Set(workloads)].slice(0, MAX_NAMES);
  const named = names.map((name) => {
    const count = workloads.filter((one) => one === name).length;
    if (name === '') return mrkdwn`${plural(count, 'workload')} without a name`;
    const short = mrkdwn`${name.slice(0, 100)}`;
    return count === 1 ? short : mrkdwn`${plural(count, 'workload')} named ${short}`;
  });
  const rest = workloads.filter((name) => !names.includes(name)).length;
  return joinMrkdwn([...named, ...(rest > 0 ? [mrkdwn`${rest} more`] : [])], ', ');
}

function ofSeverity(findings: readonly Finding[], severity: Finding['severity']) {
  return findings.filter((one) => one.severity === severity);
}

/** Kept for what stands below an answer, and for the line that counts the rest. */
const REST_LENGTH = 800;
/** A line has its section to itself at most. */
const MAX_LINE = LIMITS.sectionText;

/** As many findings as fit into so many characters, the errors first; the others are counted. */
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
      const line = used > room ? undefined : findingLine(finding, isNamed);
      used += Math.min(line?.text.length ?? 0, MAX_LINE) + 1;
      // What is shorter does not come before what has no room any more.
      if (line === undefined || used > room) left[severity] += 1;
      else shown.push(line);
    }
    if (shown.length > 0) blocks.push(section(heading), ...packed(shown));
  }
  return [...blocks, ...restBlock(left)];
}

const NONE: Readonly<Record<Finding['severity'], number>> = { error: 0, warning: 0, note: 0 };

/** Sections with as many whole lines as each takes. */
function packed(shown: readonly Mrkdwn[]): KnownBlock[] {
  const packs: Mrkdwn[] = [];
  for (const line of shown) {
    const last = packs.at(-1);
    const isRoom = last !== undefined && last.text.length + line.text.length < MAX_LINE;
    if (isRoom) packs.splice(-1, 1, joinMrkdwn([last, line], '\n'));
    else packs.push(line);
  }
  return packs.map((pack) => section(pack));
}

function restBlock(left: typeof NONE): KnownBlock[] {
  const counts = SEVERITIES.flatMap((severity) =>
    left[severity] === 0 ? [] : [mrkdwn`${plural(left[severity], severity)}`],
  );
  if (counts.length === 0) return [];
  const all = joinMrkdwn(counts, ', ');
  return [
    section(
      mrkdwn`… and ${all} more, for which there is no room: they show once these are mended.`,
    ),
  ];
}

/** @param isNamed whether the workload is named in front of the line */
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

/** What stands between backticks can be copied; one that has no second is none. */
function withCode(text: string): Mrkdwn {
  const parts = text.split(/`([^`]+)`/);
  return joinMrkdwn(
    parts.map((part, at) => (at % 2 === 1 ? code(part) : mrkdwn`${part}`)),
    '',
  );
}

function closing({ workloads, others }: Checked, prefix: string): KnownBlock[] {
  const basis = mrkdwn`What is checked: the values of runtime options, of tags of ${code(`${prefix}/`)} and of ephemeral storage, and the names of all fields. ${code('/workload tags')} lists the tags.`;
  const said = [
    ...(others.length === 0 ? [] : [mrkdwn`No workload, and not checked: ${othersOf(others)}.`]),
    ...(workloads.length === 0 ? [] : [basis]),
  ];
  return said.length === 0 ? [] : [context(...said)];
}

const MAX_OTHERS = 12;

function othersOf(others: Checked['others']): Mrkdwn {
  const named = others
    .slice(0, MAX_OTHERS)
    .map(({ name, except }) =>
      except === undefined ? code(name, 80) : mrkdwn`${code(name, 80)} (except ${except})`,
    );
  const rest = others.length - named.length;
  return joinMrkdwn([...named, ...(rest > 0 ? [mrkdwn`${rest} more`] : [])], ', ');
}
