import type { BareCause } from '../../platform/bare-http.ts';
import { code, mrkdwn } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import { isAnswered } from './probe-calls.ts';
import type { Answered, ProbeView } from './probe-calls.ts';

/** What is to be said about the answers of a probe: each thing once, failures first. Pure. */
export function remarksOn(view: ProbeView): Mrkdwn[] {
  const answered = view.calls.filter(isAnswered);
  const causes = new Set(view.calls.flatMap((call) => (isAnswered(call) ? [] : [call.why])));
  const statuses = [...new Set(answered.map(({ status }) => status))].sort((a, b) => a - b);
  return [
    ...[...causes].map((cause) => aboutFailure(cause, view)),
    ...statuses.flatMap((status) => aboutStatus(status, view)),
    ...aboutHeaders(answered, view),
  ];
}

function aboutFailure(cause: BareCause, { url, target }: ProbeView): Mrkdwn {
  const host = code(url.hostname);
  const settings = mrkdwn`${code('GLOBAL_DOMAIN')} and ${code('ORG_ENDPOINT_PREFIXES')}`;
  switch (cause) {
    case 'unknown-name':
      return mrkdwn`The name ${host} does not exist: whoever runs Purser has to check ${settings}.`;
    case 'refused':
      return mrkdwn`Nobody listens at ${code(url.host)}, the connection is refused: whoever runs Purser has to check ${settings}.`;
    case 'certificate':
      return mrkdwn`The certificate at ${host} is not valid for that name, has expired, or is of an authority that Purser does not trust: check the domain’s certificate.`;
    case 'no-tls':
      return mrkdwn`There is no HTTPS at ${code(url.host)}, which is the only way that Purser calls: check the port in ${code('GLOBAL_DOMAIN')}.`;
    case 'timeout':
      return mrkdwn`No answer came in time: see with ${code(`/deployments ${target.gvc}/${target.workload}`)} whether it is ready.`;
    case 'unreadable':
      return mrkdwn`What came from ${host} is no HTTP that can be read, or its headers are too large: check what listens there.`;
    case 'other':
      return mrkdwn`The connection to ${host} failed: check whether calls from where Purser runs may leave to the internet.`;
  }
}

function aboutStatus(status: number, { target }: ProbeView): Mrkdwn[] {
  if (status >= 300 && status < 400) {
    return [
      mrkdwn`It redirects (${status}), and Purser follows no redirect: what is shown is the answer that redirects.`,
    ];
  }
  if (status === 401) {
    return [mrkdwn`It wants to know who calls (401), and Purser sends no credential.`];
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
      mrkdwn`It fails (${status}): see with ${code(`/deployments ${target.gvc}/${target.workload}`)} whether its replicas are ready.`,
    ];
  }
  return [];
}

/** Why the debug headers may be missing (spec 4.4). */
function aboutHeaders(answered: readonly Answered[], { header, url }: ProbeView): Mrkdwn[] {
  // What fails may not have come to the workload at all, and its status says enough.
  if (answered.every(({ status }) => status >= 500)) return [];
  const named = answered.filter(({ location, replica }) => location ?? replica);
  if (answered.length === named.length) return [];
  const names = mrkdwn`${code(header.replace(/debug$/, 'location'))} and ${code(header.replace(/debug$/, 'replica'))}`;
  if (named.length > 0) {
    return [
      mrkdwn`Some answers lack ${names}: not every replica has been redeployed since the debug option was switched, or something before the workload answers.`,
    ];
  }
  return [
    mrkdwn`The headers ${names} are missing. Either the debug option ${code('spec.defaultOptions.debug')} is off, or the workload has not redeployed since it was turned on, or ${code(url.hostname)} is not its global endpoint, or something before the workload answers.`,
  ];
}
