import type { KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Checked, Finding } from '../../platform/workload/finding.ts';
import { OPTIONS } from '../../platform/workload/options.ts';
import { TAGS } from '../../platform/workload/tags.ts';
import {
  button,
  code,
  context,
  joinMrkdwn,
  lines,
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

/** Of each severity; the rest is counted. All of them together keep below what a message takes. */
const MAX_FINDINGS = 15;
const MAX_NAMES = 3;
const MAX_PATHS = 12;

const HEADINGS: Readonly<Record<Finding['severity'], Mrkdwn>> = {
  error: mrkdwn`:no_entry: *Errors*: the platform cannot do that`,
  warning: mrkdwn`:warning: *Warnings*: it can, and it is likely not meant`,
  note: mrkdwn`:information_source: *Notes*: good to know`,
};
const SEVERITIES = ['error', 'warning', 'note'] as const;

/** What `/workload check` answers. Pure. */
export function checkAnswer({ checked, prefix }: CheckView): Answer {
  const head = checked.workloads.length === 0 ? NO_WORKLOAD : headOf(checked);
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...SEVERITIES.flatMap((severity) => findingBlocks(checked, severity)),
      ...closing(checked, prefix),
    ],
    buttons: [button({ action: CHECK_ACTION, text: 'Check another' })],
    shareable: true,
    needs: 'orgs',
  };
}

const NO_WORKLOAD = mrkdwn`:grey_question: There is no workload in it: a manifest has ${code('kind: workload')}, or at least ${code('spec')} or ${code('tags')} at its top.`;

function headOf({ workloads, findings }: Checked): Mrkdwn {
  const title = mrkdwn`*Manifest of ${namesOf(workloads)}*`;
  const counts = SEVERITIES.flatMap((severity) => {
    const count = ofSeverity(findings, severity).length;
    return count === 0 ? [] : [mrkdwn`${plural(count, severity)}`];
  });
  const isWell = findings.every(({ severity }) => severity === 'note');
  if (!isWell) return mrkdwn`${title}: ${joinMrkdwn(counts, ', ')}`;
  const notes = counts.length === 0 ? '' : ', and something to know';
  return mrkdwn`:white_check_mark: ${title}: nothing is wrong with what can be checked${notes}.`;
}

function namesOf(workloads: readonly string[]): Mrkdwn {
  const rest = workloads.length - MAX_NAMES;
  const named = workloads.slice(0, MAX_NAMES).map((name) => mrkdwn`${name.slice(0, 100)}`);
  const more = rest > 0 ? [mrkdwn`${rest} more`] : [];
  return joinMrkdwn([...named, ...more], ', ');
}

function ofSeverity(findings: readonly Finding[], severity: Finding['severity']) {
  return findings.filter((one) => one.severity === severity);
}

function findingBlocks({ findings }: Checked, severity: Finding['severity']): KnownBlock[] {
  const some = ofSeverity(findings, severity);
  if (some.length === 0) return [];
  return [section(HEADINGS[severity]), lines(some.map(findingLine), MAX_FINDINGS)];
}

function findingLine({ line, path, what, fix }: Finding): Mrkdwn {
  const place = mrkdwn`• Line ${line}: ${code(path, 120)} ${what.slice(0, 400)}.`;
  if (fix === undefined) return place;
  return mrkdwn`${place} ${fix.slice(0, 1).toUpperCase()}${fix.slice(1, 300)}.`;
}

function closing({ workloads, notCovered }: Checked, prefix: string): KnownBlock[] {
  const basis = mrkdwn`Checked: ${OPTIONS.length} runtime options, ${TAGS.length} tags of ${code(`${prefix}/`)}, and ephemeral storage against cpu. ${code('/workload tags')} lists the tags.`;
  const paths = notCovered.slice(0, MAX_PATHS).map((path) => code(path, 80));
  const rest = notCovered.length - paths.length;
  const more = rest > 0 ? [mrkdwn`${rest} more`] : [];
  const said = [
    ...(paths.length === 0 ? [] : [mrkdwn`Not covered: ${joinMrkdwn([...paths, ...more], ', ')}`]),
    ...(workloads.length === 0 ? [] : [basis]),
  ];
  return said.length === 0 ? [] : [context(...said)];
}
