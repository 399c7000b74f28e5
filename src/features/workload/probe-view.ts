import type { BareCause } from '../../platform/bare-http.ts';
import { compareNames, plural, stripControl, truncate } from '../../lib/text.ts';
import { code, context, lines, mrkdwn, section, table, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { isAnswered } from './probe-calls.ts';
import type { Answered, ProbeCall, ProbeView } from './probe-calls.ts';
import { remarksOn } from './probe-remarks.ts';
import { aboutStanding } from './probe-standing.ts';

const NAME_LENGTH = 80;

/** What `/workload probe GVC/WORKLOAD` answers (spec 4.4). Pure. */
export function probeAnswer(view: ProbeView): Answer {
  const { calls, target, org, header, url, unknown, ready } = view;
  const answered = calls.filter(isAnswered);
  const standing = aboutStanding(view);
  const first = standing === undefined ? '' : `${standing.is}; `;
  const head = mrkdwn`*${target.gvc}/${target.workload}* in org ${org}: ${first}${headline(calls, answered)}`;
  const notes = [
    mrkdwn`Asked: ${code(url.href)} with ${code(`${header}: true`)} and no credential`,
    ...(unknown === undefined
      ? []
      : [
          mrkdwn`${code(unknown.hostname)} does not exist, so the address without the org’s prefix was asked`,
        ]),
    ...absent(answered, ready),
  ];
  // The answers of what does not serve would be blamed on the wrong thing.
  const remarks = standing === undefined ? remarksOn(view) : [standing.todo];
  return {
    text: topText(head),
    blocks: [
      section(head),
      ...(answered.length === 0 ? [] : [table(COLUMNS, calls.map(cells))]),
      ...(remarks.length === 0 ? [] : [lines(remarks.map((remark) => mrkdwn`• ${remark}`))]),
      context(...notes),
    ],
    shareable: true,
    needs: 'orgs',
  };
}

const COLUMNS = [
  { title: 'Call', align: 'right' },
  { title: 'Status' },
  { title: 'Location' },
  { title: 'Replica' },
  { title: 'ms', align: 'right' },
] as const;

/** "5 of 5 calls answered: 3 from aws-us-west-2, 2 from gcp-europe-west4" */
function headline(calls: readonly ProbeCall[], answered: readonly Answered[]): Mrkdwn {
  if (answered.length === 0) return mrkdwn`no answer to ${plural(calls.length, 'call')}.`;
  const count = mrkdwn`${answered.length} of ${plural(calls.length, 'call')} answered`;
  const places = countsOf(answered.map(({ location }) => location));
  const replicas = countsOf(answered.map(({ replica }) => replica)).length;
  if (places.length === 0) {
    return replicas === 0
      ? mrkdwn`${count}, and none says where it came from.`
      : mrkdwn`${count}, from ${plural(replicas, 'replica')}; none says its location.`;
  }
  const from = places.map(([place, times]) => `${times} from ${place}`).join(', ');
  const of = replicas === 0 ? mrkdwn`` : mrkdwn` (${plural(replicas, 'replica')})`;
  return mrkdwn`${count}: ${from}${of}`;
}

/** How often each name occurs, the most frequent first. */
function countsOf(names: readonly (string | undefined)[]): [name: string, times: number][] {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name === undefined) continue;
    counts.set(shown(name), (counts.get(shown(name)) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || compareNames(a, b));
}

function shown(name: string): string {
  return truncate(stripControl(name), NAME_LENGTH);
}

const FAILURES: Readonly<Record<BareCause, string>> = {
  'unknown-name': 'unknown name',
  refused: 'refused',
  certificate: 'bad certificate',
  'no-tls': 'no HTTPS',
  timeout: 'too late',
  unreadable: 'unreadable',
  other: 'no connection',
};

function cells(call: ProbeCall, index: number): string[] {
  const number = String(index + 1);
  if (!isAnswered(call)) return [number, FAILURES[call.why], '–', '–', '–'];
  const { status, location, replica, ms } = call;
  return [number, String(status), nameIn(location), nameIn(replica), String(ms)];
}

function nameIn(name: string | undefined): string {
  return name === undefined ? '–' : shown(name);
}

/** Ready locations that did not answer, where others said that they did. */
function absent(answered: readonly Answered[], ready: readonly string[]): Mrkdwn[] {
  const seen = new Set(answered.map(({ location }) => location));
  const missing = ready.filter((location) => !seen.has(location));
  if (missing.length === 0 || seen.size === 0 || seen.has(undefined)) return [];
  return [
    mrkdwn`Ready, and not among these answers: ${missing.join(', ')}. Which location answers is the load balancer’s choice, and may differ for callers elsewhere`,
  ];
}
