import type { KnownBlock } from '@slack/types';
import { revealed } from '../../lib/lookalikes.ts';
import { plural } from '../../lib/text.ts';
import type { Checked, Finding } from '../../platform/workload/finding.ts';
import { button, context, section, SIGN } from '../../slack/kit/blocks.ts';
import { thatFit } from '../../slack/kit/fit.ts';
import {
  code,
  joinFirst,
  joinMrkdwn,
  LIMITS,
  Mrkdwn,
  mrkdwn,
  withCode,
} from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { lineSections } from '../answer-parts.ts';

export const CHECK_ACTION = 'workload.check';

export const CHECK_ANOTHER = button({ action: CHECK_ACTION, text: 'Check another' });

const MAX_NAMES = 3;

const SEVERITIES = ['error', 'warning', 'note'] as const;

const HEADINGS: Readonly<Record<Finding['severity'], Mrkdwn>> = {
  error: mrkdwn`*Errors*`,
  warning: mrkdwn`*Warnings*, worth a second look`,
  note: mrkdwn`*Notes*, good to know`,
};

/** Characters of findings in a message, and in a window. */
const SHORT = 9_000;
const WHOLE = 60_000;
/** More findings fit into neither, and a text may have tens of thousands. */
const MOST = 3_000;

/** The answer to `/workload check`: the verdict, then errors first; a button opens what a message does not take. Pure. */
export function checkAnswer({
  checked,
  prefix,
}: {
  readonly checked: Checked;
  readonly prefix: string;
}): Answer {
  const short = findingBlocks(checked, SHORT, '');
  const whole = findingBlocks(checked, WHOLE, '. Check a part of the manifest to see them.');
  const total = checked.findings.length;
  const part = `${total - whole.left} of ${total}`;
  const rest = {
    button: whole.left === 0 ? `Show all (${total})` : `Show ${part}`,
    title: whole.left === 0 ? 'All findings' : `${part} findings`,
    blocks: blocksOf(checked, prefix, whole.blocks),
  };
  return {
    blocks: blocksOf(checked, prefix, short.blocks),
    ...(short.left > whole.left ? { rest } : {}),
    buttons: [CHECK_ANOTHER],
    shareable: true,
    needs: 'orgs',
  };
}

function blocksOf(checked: Checked, prefix: string, findings: readonly KnownBlock[]): KnownBlock[] {
  const { workloads, fields } = checked;
  const covered = workloads.length === 0 || fields.total === 0 ? [] : [section(coverageOf(fields))];
  return [section(headOf(checked)), ...findings, ...covered, ...closing(checked, prefix)];
}

const NO_WORKLOAD = mrkdwn`There is no workload in it: a manifest has ${code('kind: workload')}, or at least ${code('spec')} or ${code('tags')} at its top.`;

function headOf({ workloads, flawed, findings, fields }: Checked): Mrkdwn {
  const counts = joinMrkdwn(countsOf(findings), ', ');
  const found = findings.length === 0 ? mrkdwn`` : mrkdwn`: ${counts}`;
  if (workloads.length === 0) {
    return findings.length === 0 ? NO_WORKLOAD : mrkdwn`${NO_WORKLOAD} It has ${counts}.`;
  }
  const worse = [...flawed.workloads, ...flawed.others];
  if (worse.length > 0) {
    const isRefused = ofSeverity(findings, 'error').length > 0;
    const sign = isRefused ? mrkdwn`${new Mrkdwn(SIGN.wrong)} ` : mrkdwn``;
    const look = worse.length === 1 ? 'is worth a second look' : 'are worth a second look';
    const verdict = isRefused ? 'would be refused' : look;
    const total = workloads.length + flawed.others.length;
    return worse.length === total
      ? mrkdwn`${sign}*${titleOf(worse)} ${verdict}*${found}`
      : mrkdwn`${sign}*${worse.length} of ${total} manifests ${verdict}: ${namesOf(worse)}* · ${counts}`;
  }
  const title = titleOf(workloads);
  const [it, is] = workloads.length === 1 ? ['it was', 'is'] : ['they were', 'are'];
  if (fields.unchecked.length > 0) {
    return mrkdwn`*${title} ${is} valid as far as ${it} checked*${found}`;
  }
  // Only where `spec` has fields, and all were checked.
  const tick = fields.total === 0 ? mrkdwn`` : mrkdwn`${new Mrkdwn(SIGN.good)} `;
  return mrkdwn`${tick}*${title} ${is} valid*${found}`;
}

/** "1 error, 2 warnings, 1 note" */
function countsOf(findings: readonly Finding[]): Mrkdwn[] {
  return SEVERITIES.flatMap((severity) => {
    const count = ofSeverity(findings, severity).length;
    return count === 0 ? [] : [mrkdwn`${plural(count, severity)}`];
  });
}

function ofSeverity(findings: readonly Finding[], severity: Finding['severity']) {
  return findings.filter((one) => one.severity === severity);
}

function titleOf(workloads: readonly string[]): Mrkdwn {
  const isUnnamed = workloads.length === 1 && workloads[0] === '';
  if (isUnnamed) return mrkdwn`A manifest without a name`;
  return mrkdwn`${workloads.length === 1 ? 'Manifest' : 'Manifests'} of ${namesOf(workloads)}`;
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

/** Errors first; findings that do not fit into `room` characters are counted, and `todo` ends that line. */
function findingBlocks({ findings, workloads }: Checked, room: number, todo: string) {
  const names = new Set([...workloads, ...findings.map(({ document = '' }) => document)]);
  const ordered = SEVERITIES.flatMap((severity) => ofSeverity(findings, severity));
  const all = ordered.slice(0, MOST).map((finding) => ({
    ...finding,
    text: findingLine(finding, names.size > 1),
  }));
  // A line takes at most one section.
  const fitting = thatFit(
    all,
    ({ text }) => Math.min(text.text.length, LIMITS.sectionText) + 1,
    room,
  );
  const shown = fitting.length === 0 ? all.slice(0, 1) : fitting;
  const left = ordered.slice(shown.length);
  const blocks = SEVERITIES.flatMap((severity) => {
    const lines = shown.filter((one) => one.severity === severity).map(({ text }) => text);
    return lines.length === 0 ? [] : [section(HEADINGS[severity]), ...lineSections(lines)];
  });
  if (left.length > 0) {
    blocks.push(section(mrkdwn`… and more: ${joinMrkdwn(countsOf(left), ', ')}${todo}`));
  }
  return { blocks, left: left.length };
}

function findingLine({ line, path, what, fix, document = '' }: Finding, isNamed: boolean): Mrkdwn {
  const name = isNamed ? document.slice(0, 100) : '';
  const at = name === '' ? mrkdwn`Line ${line}` : mrkdwn`*${name}*, line ${line}`;
  // A pasted name may have a character that is not seen, and be wrong for that alone.
  const place = mrkdwn`• ${at}: ${code(revealed(path), 120)} ${withCode(revealed(what.slice(0, 400)))}.`;
  if (fix === undefined) return place;
  return mrkdwn`${place} ${withCode(capitalized(fix.slice(0, 300)))}.`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const MAX_UNCHECKED = 20;
const MAX_PATH = 80;

/** "12 of 26 fields checked · not checked: …", the fields of a list together. */
function coverageOf({ total, unchecked }: Checked['fields']): Mrkdwn {
  if (unchecked.length === 0) {
    return total === 1
      ? mrkdwn`The only field is checked.`
      : mrkdwn`All ${total} fields are checked.`;
  }
  const counts = new Map<string, number>();
  for (const path of unchecked) {
    const name = path.replaceAll(/\[\d+\]/g, '[]');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].map(([path, count]) =>
    count === 1
      ? code(revealed(path), MAX_PATH)
      : mrkdwn`${code(revealed(path), MAX_PATH)} ×${count}`,
  );
  const checked = (total - unchecked.length).toLocaleString('en-US');
  const all = joinFirst(names, MAX_UNCHECKED, { before: ', ' });
  return mrkdwn`${checked} of ${plural(total, 'field')} checked · not checked: ${all}.`;
}

const MAX_OTHERS = 12;

function closing({ workloads, others }: Checked, prefix: string): KnownBlock[] {
  const names = others.map((name) => code(name, 80));
  const isOne = others.length === 1;
  const they = isOne ? 'it is not a workload' : 'they are not workloads';
  const named = joinFirst(names, MAX_OTHERS, { before: ', ' });
  const read = ` ${isOne ? 'It was' : 'They were'} read only for what the workloads need.`;
  const left = mrkdwn`Not checked, because ${they}: ${named}.${workloads.length === 0 ? '' : read}`;
  const basis = mrkdwn`Checked against published facts: the fields of ${code('spec')} with their values, and ${code(`${prefix}/`)} tags. ${code('/workload tags')} lists the tags.`;
  const texts = [
    ...(others.length === 0 ? [] : [left]),
    ...(workloads.length === 0 ? [] : [basis]),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}
