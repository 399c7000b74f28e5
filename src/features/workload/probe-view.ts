import type { KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNatural, plural, stripControl, truncate } from '../../lib/text.ts';
import type { BareCause } from '../../platform/bare-http.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { capital } from '../../rollouts/render/parts.ts';
import { stateAlone } from '../../rollouts/watch/status.ts';
import { context, lines, section, SIGN } from '../../slack/kit/blocks.ts';
import { firstOf } from '../../slack/kit/fit.ts';
import { type Cell, Numeric } from '../../slack/kit/tables.ts';
import { code, Mrkdwn, mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { listed } from '../list.ts';

/** An answered call with its debug headers, or why it failed. Headers are foreign text. */
export type ProbeCall = Answered | { readonly why: BareCause };

interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly replica: string | undefined;
  /** Until the head of the answer. */
  readonly ms: number;
}

export interface ProbeView {
  org: string;
  target: { gvc: string; workload: string };
  url: URL;
  /** The address with the org's prefix, when its name does not exist and `url` is the one without. */
  unknown: URL | undefined;
  /** `x-svc-debug` */
  header: string;
  /** In order; at least one. */
  calls: readonly ProbeCall[];
  /** Undefined: no report says so. */
  notServing: keyof typeof NOT_SERVING | undefined;
  ready: readonly string[];
}

export function isAnswered(call: ProbeCall): call is Answered {
  return !('why' in call);
}

const NAME_LENGTH = 80;

/** The answer to `/workload probe GVC/WORKLOAD` (spec 4.4). Pure. */
export function probeAnswer(view: ProbeView): Answer {
  const { calls, target, org, header, url, unknown } = view;
  const unserved = aboutNotServing(view);
  const name = mrkdwn`*${target.gvc}/${target.workload}* in org ${org}`;
  const head =
    unserved === undefined
      ? mrkdwn`${signOf(calls)}${name}: ${headline(view)}`
      : mrkdwn`${name}: ${unserved.is} · ${headline(view)}`;
  const notes = [
    mrkdwn`Asked: ${code(url.href)} with ${code(`${header}: true`)} and no credential`,
  ];
  if (unknown !== undefined) {
    notes.push(
      mrkdwn`${code(unknown.hostname)} does not exist, so the address without the org’s prefix was asked`,
    );
  }
  if (absentOf(view).length > 0) {
    notes.push(
      mrkdwn`The load balancer chooses the location, and may choose another one for other callers`,
    );
  }
  // Remarks on answers would blame the wrong cause for a workload that does not serve.
  const remarks = unserved === undefined ? remarksOn(view) : [unserved.todo];
  return {
    blocks: [
      section(head),
      ...(calls.some(isAnswered) ? callTable(view) : []),
      ...(remarks.length === 0 ? [] : [lines(remarks.map((remark) => mrkdwn`• ${remark}`))]),
      context(...notes),
    ],
    shareable: true,
    needs: orgRight(org),
  };
}

/** "–" in each column that a failed call has nothing for. */
function callTable({ calls, target }: ProbeView): KnownBlock[] {
  const column = (title: string, of: (call: Answered) => Cell) => ({
    title,
    of: ({ call }: { call: ProbeCall }): Cell => (isAnswered(call) ? of(call) : '–'),
  });
  return listed({
    caption: `Calls of ${target.gvc}/${target.workload}`,
    columns: [
      { title: 'Call', of: ({ number }) => new Numeric(number) },
      { title: 'Status', of: ({ call }) => resultOf(call) },
      column('Location', ({ location }) => (location === undefined ? '–' : shown(location))),
      column('Replica', ({ replica }) => (replica === undefined ? '–' : shown(replica))),
      column('Time', ({ ms }) => new Numeric(ms, `${ms} ms`)),
    ],
    rows: calls.map((call, index) => ({ call, number: index + 1 })),
  }).blocks;
}

/** All calls fail, or some. Without any answer, Purser's setting is more often the cause than the workload. */
function signOf(calls: readonly ProbeCall[]): Mrkdwn {
  const failed = calls.filter((call) => !isAnswered(call) || call.status >= 500);
  if (failed.length === 0 || !calls.some(isAnswered)) return mrkdwn``;
  return new Mrkdwn(`${failed.length === calls.length ? SIGN.hurt : SIGN.wrong} `);
}

/** "5 of 5 calls answered · 3 from aws-us-west-2, 2 from gcp-europe-west4", "5 of 5 calls got 503" */
function headline(view: ProbeView): Mrkdwn {
  const { calls } = view;
  // A redirect counts as an answer: Purser does not follow it.
  const isWell = (call: ProbeCall) => isAnswered(call) && call.status < 400;
  const well = calls.filter(isWell).filter(isAnswered);
  const others = countsOf(calls.filter((call) => !isWell(call)).map(resultOf));
  const all = plural(calls.length, 'call');
  const none = noneFrom(absentOf(view));
  if (others.length === 0) return mrkdwn`${well.length} of ${all} answered${origins(well)}${none}`;
  const [[only] = ['']] = others;
  const isOne = others.length === 1;
  const results = others
    .map(([result, times]) => (times === 1 ? result : `${result} ×${times}`))
    .join(', ');
  if (well.length > 0) {
    const rest = calls.length - well.length === 1 ? 'the other' : 'the others';
    return mrkdwn`${well.length} of ${all} went well${origins(well)} · ${rest}: ${results}${none}`;
  }
  if (!calls.some(isAnswered)) return mrkdwn`no answer to ${all}: ${isOne ? only : results}`;
  return isOne
    ? mrkdwn`${calls.length} of ${all} got ${only}${none}`
    : mrkdwn`none of ${all} went well: ${results}${none}`;
}

function noneFrom(absent: readonly string[]): Mrkdwn {
  if (absent.length === 0) return mrkdwn``;
  const are = absent.length === 1 ? 'is' : 'are';
  return mrkdwn` · none from ${firstOf(absent, 5)}, which ${are} ready too`;
}

/** " · 3 from aws-us-west-2, 2 from gcp-europe-west4 (4 replicas)" */
function origins(answered: readonly Answered[]): Mrkdwn {
  const places = countsOf(answered.map(({ location }) => location));
  const replicas = countsOf(answered.map(({ replica }) => replica)).length;
  if (places.length === 0) {
    return replicas === 0
      ? mrkdwn`, and none says where it came from`
      : mrkdwn`, from ${plural(replicas, 'replica')}; none says its location`;
  }
  const of = replicas === 0 ? mrkdwn`` : mrkdwn` (${plural(replicas, 'replica')})`;
  const from = places.map(([place, times]) => `${times} from ${place}`).join(', ');
  return mrkdwn` · ${from}${of}`;
}

/** Most frequent first. */
function countsOf(names: readonly (string | undefined)[]): [name: string, times: number][] {
  const counts = new Map<string, number>();
  for (const name of names) {
    if (name === undefined) continue;
    counts.set(shown(name), (counts.get(shown(name)) ?? 0) + 1);
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || compareNatural(a, b));
}

function shown(name: string): string {
  return truncate(stripControl(name), NAME_LENGTH);
}

function resultOf(call: ProbeCall): string {
  return isAnswered(call) ? String(call.status) : CAUSES[call.why].result;
}

/** Ready locations that did not answer, if every answer names its location. */
function absentOf({ calls, ready }: ProbeView): string[] {
  const seen = new Set(calls.filter(isAnswered).map(({ location }) => location));
  if (seen.size === 0 || seen.has(undefined)) return [];
  return ready.filter((location) => !seen.has(location));
}

/** Locations that report that they are ready. What a stale one says is old. Pure. */
export function readyIn(deployments: readonly Deployment[]): string[] {
  const ready = deployments.filter((one) => one.ready && stateAlone(one) !== 'stale');
  return ready.map(({ location }) => location);
}

/** Undefined: a location is ready, or may be. Takes at least one deployment. Pure. */
export function notServingOf(deployments: readonly Deployment[]): ProbeView['notServing'] {
  const states = new Set(deployments.map(stateAlone));
  if (states.has('cron')) return 'cron';
  if (readyIn(deployments).length > 0) return undefined;
  if (states.has('stale') || states.has('unknown')) return undefined;
  if (states.size === 1 && states.has('suspended')) return 'suspended';
  const idle = [...states].every((state) => state === 'suspended' || state === 'idle');
  return idle ? 'idle' : 'not-ready';
}

/** The state of a workload that may not serve, and what to do, from its name. */
const NOT_SERVING = {
  cron: {
    is: 'a cron workload, which serves nothing',
    todo: (name: string) => mrkdwn`Its runs are in ${code(`/deployments jobs ${name}`)}`,
  },
  suspended: {
    is: 'suspended in all its locations, so nothing serves',
    todo: () => mrkdwn`It serves again once ${code('suspend')} is set to false`,
  },
  idle: {
    is: 'no replicas are wanted in any location, so nothing serves',
    todo: (name: string) =>
      mrkdwn`It is suspended or scaled to zero: ${code(`/deployments ${name}`)} shows which`,
  },
  'not-ready': {
    is: 'not ready in any location',
    todo: (name: string) => mrkdwn`${code(`/deployments ${name}`)} shows why it is not ready`,
  },
};

/** Undefined also when an earlier version may still serve, with the origin of every answer known. */
function aboutNotServing({ notServing, calls, target }: ProbeView) {
  const allWell = calls.every((call) => isAnswered(call) && (call.location ?? call.replica));
  if (notServing === undefined || allWell) return undefined;
  const { is, todo } = NOT_SERVING[notServing];
  const front = calls.some(isAnswered)
    ? '; what answers may be an earlier version, or something in front of the workload.'
    : '.';
  return { is, todo: mrkdwn`${todo(`${target.gvc}/${target.workload}`)}${front}` };
}

/** Each once, failures first. */
function remarksOn(view: ProbeView): Mrkdwn[] {
  const { calls } = view;
  const answered = calls.filter(isAnswered);
  const causes = calls.flatMap((call) => (isAnswered(call) ? [] : [call.why]));
  const statuses = answered.map(({ status }) => status).toSorted((a, b) => a - b);
  return [
    ...counted(causes, (cause) => aboutFailure(cause, view)),
    ...counted(statuses, (status) => aboutStatus(status, view)),
    ...aboutHeaders(answered, view),
  ];

  /** "1 of 5 calls: …" */
  function counted<Kind>(all: readonly Kind[], about: (one: Kind) => Mrkdwn | undefined) {
    return [...new Set(all)].flatMap((kind): Mrkdwn[] => {
      const count = all.filter((one) => one === kind).length;
      const sentence = about(kind);
      if (sentence === undefined) return [];
      return count === calls.length
        ? [new Mrkdwn(capital(sentence.text))]
        : [mrkdwn`${count} of ${plural(calls.length, 'call')}: ${sentence}`];
    });
  }
}

interface Cause {
  /** In the table and in the first line. */
  readonly result: string;
  readonly about: (view: ProbeView) => Mrkdwn;
  /** For a call that failed while others were answered: the settings are right then. */
  readonly nowAndThen?: string;
}

const SETTINGS = mrkdwn`${code('GLOBAL_DOMAIN')} and ${code('ORG_ENDPOINT_PREFIXES')}`;

const CAUSES: Readonly<Record<BareCause, Cause>> = {
  'unknown-name': {
    result: 'unknown name',
    about: ({ url }) =>
      mrkdwn`the name ${code(url.hostname)} does not exist: ask your Purser administrator to check ${SETTINGS}.`,
    nowAndThen:
      'the name was not found, though another call found it, so DNS may fail now and then',
  },
  refused: {
    result: 'connection refused',
    about: ({ url }) =>
      mrkdwn`nothing listens at ${code(url.host)} (connection refused): ask your Purser administrator to check ${SETTINGS}.`,
    nowAndThen:
      'the connection was refused, though another call was answered, so not everything behind the name listens',
  },
  certificate: {
    result: 'bad certificate',
    about: ({ url }) =>
      mrkdwn`the certificate at ${code(url.hostname)} is not valid for that name, has expired, or its issuer is not trusted: check the domain’s certificate.`,
    nowAndThen:
      'the certificate was not valid, though that of another call was, so not everything behind the name has the same one',
  },
  'no-tls': {
    result: 'no HTTPS',
    about: ({ url }) =>
      mrkdwn`there is no HTTPS at ${code(url.host)}, and Purser calls no other way: check the port in ${code('GLOBAL_DOMAIN')}.`,
    nowAndThen:
      'there was no HTTPS, though another call had it, so not everything behind the name is set up alike',
  },
  timeout: {
    result: 'timed out',
    about: ({ target }) =>
      mrkdwn`no answer came in time: check with ${code(`/deployments ${target.gvc}/${target.workload}`)} that it is ready.`,
  },
  unreadable: {
    result: 'no readable HTTP',
    about: ({ url }) =>
      mrkdwn`${code(url.hostname)} does not answer in readable HTTP, or with headers that are too large: check what listens there.`,
  },
  other: {
    result: 'no connection',
    about: ({ url }) =>
      mrkdwn`the connection to ${code(url.hostname)} failed: check that Purser’s machine may call the internet.`,
    nowAndThen:
      'the connection failed, though another call was answered, so the network may fail now and then',
  },
};

function aboutFailure(why: BareCause, view: ProbeView): Mrkdwn {
  const { about, nowAndThen } = CAUSES[why];
  return nowAndThen === undefined || !view.calls.some(isAnswered)
    ? about(view)
    : mrkdwn`${nowAndThen}: try again, and contact the owner of ${code(view.url.hostname)} if it lasts.`;
}

function aboutStatus(status: number, { target }: ProbeView): Mrkdwn | undefined {
  if (status >= 500) {
    return mrkdwn`it fails (${status}): check with ${code(`/deployments ${target.gvc}/${target.workload}`)} that its replicas are ready.`;
  }
  if (status >= 300 && status < 400) {
    return mrkdwn`it redirects (${status}), and Purser does not follow: the redirect itself is shown.`;
  }
  return STATUSES[status];
}

const STATUSES: Readonly<Record<number, Mrkdwn>> = {
  401: mrkdwn`it wants a login (401), and Purser sends no credential.`,
  403: mrkdwn`it refuses calls from here (403): its firewall, an authorization before it, or the application.`,
  404: mrkdwn`not found (404): the application has nothing at ${code('/')}, or nothing is served under this name.`,
  429: mrkdwn`it asks for fewer calls (429): try again in a minute.`,
};

/** Why the debug headers may be missing (spec 4.4). */
function aboutHeaders(answered: readonly Answered[], { header, url }: ProbeView): Mrkdwn[] {
  const isNamed = ({ location, replica }: Answered) => location ?? replica;
  // A refused or failed call may not have reached the workload, and its status explains enough.
  if (!answered.some((one) => one.status < 400 && !isNamed(one))) return [];
  const names = mrkdwn`${code(header.replace(/debug$/, 'location'))} and ${code(header.replace(/debug$/, 'replica'))}`;
  return answered.some(isNamed)
    ? [
        mrkdwn`Some answers lack ${names}: not every replica was redeployed since the debug option was switched, or something in front of the workload answered.`,
      ]
    : [
        mrkdwn`The headers ${names} are missing: the debug option ${code('spec.defaultOptions.debug')} is off, or the workload was not redeployed since, or ${code(url.hostname)} is not its global endpoint, or something in front of the workload answered.`,
      ];
}
