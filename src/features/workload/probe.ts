import { Refusal } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import { BareError } from '../../platform/bare-http.ts';
import { nameOf, orgWords, readTargeted } from '../../platform/deployments/target.ts';
import type { Brand } from '../../platform/workload/addresses.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import type { Services } from '../../services.ts';
import { absentPlace, type NameServices } from '../watched.ts';
import { findAlias } from './addresses.ts';
import type { WorkloadTarget } from './parse.ts';
import { isAnswered, notServingOf, probeAnswer, readyIn, type ProbeCall } from './probe-view.ts';

type ProbeServices = NameServices & Pick<Services, 'bareHttp'>;

/** Sequential, so that the load balancer can choose each time. */
const CALLS = 5;

const MAX_FAILURES = 2;

const TIMEOUT_MS = 5_000;

/**
 * Calls the canonical endpoint without any credential, and only below GLOBAL_DOMAIN (spec 4.4,
 * debug headers). Equal questions at the same time share one answer.
 * @throws Refusal for an unknown workload or address, PlatformError
 */
export function createProbe(
  services: ProbeServices,
): (org: string, target: WorkloadTarget) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();

  return (org, { gvc, workload }) => {
    const key = JSON.stringify([org, gvc, workload]);
    const answer =
      running.get(key) ??
      probe(services, org, { gvc, workload }).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  };
}

async function probe(
  services: ProbeServices,
  org: string,
  target: WorkloadTarget,
): Promise<Answer> {
  const { brand } = services.config;
  const { deployments, skipped } = await readTargeted(services, org, target, () =>
    absentPlace(
      services,
      { org, target },
      (meant) => `/workload probe ${nameOf(meant)}${orgWords(org, services.orgs.fallback)}`,
    ),
  );
  if (deployments.length === 0) {
    throw new Refusal(
      skipped === 0
        ? `${nameOf(target)} has no deployments, so nothing answers: a new workload appears after its first report.`
        : `The deployments of ${nameOf(target)} cannot be read, so its address is not known: /deployments ${nameOf(target)} may say more.`,
    );
  }
  const alias = await findAlias(services, { org, gvc: target.gvc }, deployments);
  if (alias === undefined) {
    throw new Refusal(
      `The global address of ${nameOf(target)} is not known, because no endpoint in ${target.gvc} shows the alias of that GVC yet: try again after its next report.`,
    );
  }
  const address = canonicalAddress(brand, org, { workload: target.workload, alias });
  let { url } = address;
  let calls = await callRepeatedly(() => ask(services, url));
  const isUnknown = calls.every((call) => !isAnswered(call) && call.why === 'unknown-name');
  if (isUnknown && address.plain !== undefined) {
    url = address.plain;
    calls = await callRepeatedly(() => ask(services, url));
  }
  return probeAnswer({
    org,
    target,
    url,
    unknown: url === address.url ? undefined : address.url,
    header: debugHeader(brand),
    calls,
    notServing: notServingOf(deployments),
    ready: readyIn(deployments),
  });
}

function debugHeader({ prefix }: Brand): string {
  return `x-${prefix}-debug`;
}

/** @throws PlatformError when the process is asked to stop */
async function ask(
  { bareHttp, config: { brand }, stopping }: ProbeServices,
  url: URL,
): Promise<ProbeCall> {
  const headers = { [debugHeader(brand)]: 'true' };
  try {
    const answer = await bareHttp.get(url.href, {
      headers,
      signal: stopping,
      timeoutMs: TIMEOUT_MS,
    });
    const named = (what: string) =>
      answer.headers.get(`x-${brand.prefix}-${what}`)?.trim() || undefined;
    const { status, ms } = answer;
    return { status, location: named('location'), replica: named('replica'), ms };
  } catch (error) {
    if (!(error instanceof BareError) || stopping.aborted) throw error;
    return { why: error.why };
  }
}

async function callRepeatedly(ask: () => Promise<ProbeCall>): Promise<ProbeCall[]> {
  const calls: ProbeCall[] = [];
  while (calls.length < CALLS && calls.filter((call) => !isAnswered(call)).length < MAX_FAILURES) {
    calls.push(await ask());
  }
  return calls;
}

/**
 * The canonical address, always below GLOBAL_DOMAIN, whatever the names are: over HTTPS, and over
 * HTTP only below localhost, which never leaves the machine (RFC 6761).
 * `plain` is the one without the org's prefix, when `url` has it.
 * @throws Refusal when GLOBAL_DOMAIN is missing or no domain, or a name is no valid host label
 */
export function canonicalAddress(
  { globalDomain, orgEndpointPrefixes }: Brand,
  org: string,
  { workload, alias }: { workload: string; alias: string },
) {
  if (globalDomain === undefined) {
    throw new Refusal(
      'Purser does not know the domain of global endpoints: ask your Purser administrator to set GLOBAL_DOMAIN.',
    );
  }
  const base = baseOf(globalDomain);
  const prefix = orgEndpointPrefixes.get(org);
  const name = `${workload}-${alias}`;
  const plain = below(base, name);
  return prefix === undefined
    ? { url: plain, plain: undefined }
    : { url: below(base, name, prefix), plain };
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** @throws Refusal */
function baseOf(domain: string): URL {
  if (!URL.canParse(`http://${domain}/`)) {
    throw new Refusal(
      `GLOBAL_DOMAIN is “${domain}”, which is not a domain: your Purser administrator has to correct it.`,
    );
  }
  const { hostname } = new URL(`http://${domain}/`);
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  return new URL(`${isHere ? 'http' : 'https'}://${domain}/`);
}

/** @throws Refusal */
function below(base: URL, ...labels: readonly string[]): URL {
  const address = `${base.protocol}//${labels.join('.')}.${base.host}/`;
  const isHost = labels.every((label) => LABEL.test(label)) && URL.canParse(address);
  const url = isHost ? new URL(address) : undefined;
  // Checked again after parsing: the parser decides where a call goes.
  if (url?.protocol !== base.protocol || !url.host.endsWith(`.${base.host}`)) {
    throw new Refusal(
      `There is no global address to call: “${truncate(labels.join('.'), 100)}” below ${base.host} does not make the name of a host, whose parts take up to 63 letters, digits and dashes.`,
    );
  }
  return url;
}
