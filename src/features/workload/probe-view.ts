import { compareNames, plural, stripControl, truncate } from '../../lib/text.ts';
import type { BareCause } from '../../platform/bare-http.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { statusOf } from '../../rollouts/engine/classify.ts';
import { context, lines, section, table, topText } from '../../slack/kit/blocks.ts';
import { code, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';

/** A call that was answered, with what its headers say; or why it was not. Headers are foreign text. */
export type ProbeCall = Answered | { readonly why: BareCause };

interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly replica: string | undefined;
  /** Until the head of the answer. */
  readonly ms: number;
}

/** Why a workload may not serve at all, as its deployments tell. */
type NotServing = 'cron' | 'suspended' | 'idle' | 'not-ready';

export interface ProbeView {
  org: string;
  target: { gvc: string; workload: string };
  /** Where the calls went. */
  url: URL;
  /** The address with the org's prefix, when its name does not exist and `url` is the one without. */
  unknown: URL | undefined;
  /** `x-svc-debug` */
  header: string;
  /** In their order; at least one. */
  calls: readonly ProbeCall[];
  /** Why it may not serve at all; undefined: nothing that is reported speaks against it. */
  notServing: NotServing | undefined;
  /** Locations that the platform calls ready. */
  ready: readonly string[];
}

export function isAnswered(call: ProbeCall): call is Answered {
  return !('why' in call);
}

const NAME_LENGTH = 80;

/** What `/workload probe GVC/WORKLOAD` answers (spec 4.4). Pure. */
export function probeAnswer(view: ProbeView): Answer {
  const { calls, target, org, header, url, unknown, ready } = view;
  const answered = calls.filter(isAnswered);
  const unserved = aboutNotServing(view);
  const first = unserved === undefined ? '' : `${unserved.is}; `;
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
  const remarks = unserved === undefined ? remarksOn(view) : [unserved.todo];
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
    mrkdwn`Ready, but not among these answers: ${missing.join(', ')}. The load balancer chooses the location, and may choose another one for other callers`,
  ];
}

/** Undefined: a location is ready, so that nothing is to be said. At least one deployment. Pure. */
export function notServingOf(deployments: readonly Deployment[]): NotServing | undefined {
  if (deployments.some(({ jobExecutions }) => jobExecutions !== undefined)) return 'cron';
  if (deployments.some(({ ready }) => ready)) return undefined;
  // Without a memory, a state does not depend on the time.
  const states = new Set(deployments.map((one) => statusOf(one, undefined, 0).state));
  if (states.size === 1 && states.has('suspended')) return 'suspended';
  const idle = [...states].every((state) => state === 'suspended' || state === 'idle');
  return idle ? 'idle' : 'not-ready';
}

/**
 * What is said of it before anything else, and what to do. Undefined: nothing, also because an earlier
 * version may serve well, and every answer says where it came from.
 */
function aboutNotServing({
  notServing,
  calls,
  target,
}: Pick<ProbeView, 'notServing' | 'calls' | 'target'>): { is: string; todo: Mrkdwn } | undefined {
  const allWell = calls.every((call) => isAnswered(call) && (call.location ?? call.replica));
  if (notServing === undefined || allWell) return undefined;
  const name = `${target.gvc}/${target.workload}`;
  const maybe = mrkdwn`what answers may be an earlier version, or something in front of the workload`;
  switch (notServing) {
    case 'cron':
      return {
        is: 'a cron workload, which serves nothing',
        todo: mrkdwn`Its runs are in ${code(`/deployments jobs ${name}`)}.`,
      };
    case 'suspended':
      return {
        is: 'suspended in all its locations, so nothing serves',
        todo: mrkdwn`It serves again once ${code('suspend')} is set to false.`,
      };
    case 'idle':
      return {
        is: 'no replicas are wanted in any location, so nothing serves',
        todo: mrkdwn`It is suspended or scaled to zero: ${code(`/deployments ${name}`)} shows which.`,
      };
    case 'not-ready':
      return {
        is: 'not ready in any location',
        todo: mrkdwn`${code(`/deployments ${name}`)} shows why it is not ready; ${maybe}.`,
      };
  }
}

/** What is to be said about the answers of a probe: each thing once, failures first. Pure. */
function remarksOn(view: ProbeView): Mrkdwn[] {
  const answered = view.calls.filter(isAnswered);
  const causes = view.calls.flatMap((call) => (isAnswered(call) ? [] : [call.why]));
  const statuses = [...new Set(answered.map(({ status }) => status))].sort((a, b) => a - b);
  return [
    ...[...new Set(causes)].map((cause) => {
      const which = share(causes.filter((one) => one === cause).length, view.calls.length);
      return mrkdwn`${which}${aboutFailure(cause, view)}`;
    }),
    ...statuses.flatMap((status) => {
      const which = share(countOf(answered, status), view.calls.length);
      return aboutStatus(status, view).map((about) => mrkdwn`${which}${about}`);
    }),
    ...aboutHeaders(answered, view),
  ];
}

function countOf(answered: readonly Answered[], status: number): number {
  return answered.filter((one) => one.status === status).length;
}

/** Before what is said of some calls: "1 of 5 calls: "; nothing when it is so of all. */
function share(count: number, of: number): string {
  return count === of ? '' : `${count} of ${plural(of, 'call')}: `;
}

function aboutFailure(cause: BareCause, { url, target }: ProbeView): Mrkdwn {
  const host = code(url.hostname);
  const settings = mrkdwn`${code('GLOBAL_DOMAIN')} and ${code('ORG_ENDPOINT_PREFIXES')}`;
  switch (cause) {
    case 'unknown-name':
      return mrkdwn`The name ${host} does not exist: whoever runs Purser has to check ${settings}.`;
    case 'refused':
      return mrkdwn`Nothing listens at ${code(url.host)} (connection refused): whoever runs Purser has to check ${settings}.`;
    case 'certificate':
      return mrkdwn`The certificate at ${host} is not valid for that name, has expired, or was issued by somebody whom Purser does not trust: check the domain’s certificate.`;
    case 'no-tls':
      return mrkdwn`There is no HTTPS at ${code(url.host)}, and Purser calls no other way: check the port in ${code('GLOBAL_DOMAIN')}.`;
    case 'timeout':
      return mrkdwn`No answer came in time: check with ${code(`/deployments ${target.gvc}/${target.workload}`)} that it is ready.`;
    case 'unreadable':
      return mrkdwn`${host} does not answer in readable HTTP, or with headers that are too large: check what listens there.`;
    case 'other':
      return mrkdwn`The connection to ${host} failed: check that Purser’s machine may call the internet.`;
  }
}

function aboutStatus(status: number, { target }: ProbeView): Mrkdwn[] {
  if (status >= 300 && status < 400) {
    return [
      mrkdwn`It redirects (${status}), and Purser does not follow: the redirect itself is shown.`,
    ];
  }
  if (status === 401) {
    return [mrkdwn`It wants a login (401), and Purser sends no credential.`];
  }
  if (status === 403) {
    return [
      mrkdwn`It refuses calls from here (403): its firewall, an authorization before it, or the application.`,
    ];
  }
  if (status === 404) {
    return [
      mrkdwn`Not found (404): the application has nothing at ${code('/')}, or nothing is served under this name.`,
    ];
  }
  if (status === 429) return [mrkdwn`It asks for fewer calls (429): try again in a minute.`];
  if (status >= 500) {
    return [
      mrkdwn`It fails (${status}): check with ${code(`/deployments ${target.gvc}/${target.workload}`)} that its replicas are ready.`,
    ];
  }
  return [];
}

/** Why the debug headers may be missing (spec 4.4). */
function aboutHeaders(answered: readonly Answered[], { header, url }: ProbeView): Mrkdwn[] {
  const isNamed = ({ location, replica }: Answered) => location ?? replica;
  const named = answered.filter(isNamed);
  // What was refused or failed may not have come to the workload at all, and its status says enough.
  if (!answered.some((one) => one.status < 400 && !isNamed(one))) return [];
  const names = mrkdwn`${code(header.replace(/debug$/, 'location'))} and ${code(header.replace(/debug$/, 'replica'))}`;
  if (named.length > 0) {
    return [
      mrkdwn`Some answers lack ${names}: not every replica was redeployed since the debug option was switched, or something in front of the workload answered.`,
    ];
  }
  return [
    mrkdwn`The headers ${names} are missing: the debug option ${code('spec.defaultOptions.debug')} is off, or the workload was not redeployed since, or ${code(url.hostname)} is not its global endpoint, or something in front of the workload answered.`,
  ];
}
