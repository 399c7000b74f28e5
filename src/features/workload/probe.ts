import { Refusal } from '../../lib/refusal.ts';
import { BareError } from '../../platform/bare-http.ts';
import type { BareHttp } from '../../platform/bare-http.ts';
import type { DeploymentsClient } from '../../platform/deployments/client.ts';
import type { Brand } from '../../platform/workload/brand.ts';
import type { Answer } from '../../slack/routes.ts';
import { nameOf } from '../deployments/place.ts';
import { readTargeted } from '../deployments/read.ts';
import { findAlias } from './alias.ts';
import { isAnswered } from './probe-calls.ts';
import type { ProbeCall } from './probe-calls.ts';
import { canonicalAddress } from './probe-hosts.ts';
import { standingOf } from './probe-standing.ts';
import { probeAnswer } from './probe-view.ts';

interface ProbeDeps {
  client: DeploymentsClient;
  bare: BareHttp;
  brand: Brand;
  stopping: AbortSignal;
}

interface ProbeTarget {
  gvc: string;
  workload: string;
}

/** One after the other, so that the load balancer may choose each time. */
const CALLS = 5;
/** What gave no answer so often gives none. */
const MAX_FAILURES = 2;
const TIMEOUT_MS = 5_000;

/**
 * Asks the canonical endpoint of a workload which location and replica answers (spec 4.4, debug headers).
 * Without any credential, and only below GLOBAL_DOMAIN. Whoever asks the same meanwhile gets the same.
 * @throws Refusal when there is no such workload or no address of it, PlatformError
 */
export function createProbe(
  deps: ProbeDeps,
): (org: string, target: ProbeTarget) => Promise<Answer> {
  const running = new Map<string, Promise<Answer>>();

  return (org, { gvc, workload }) => {
    const key = JSON.stringify([org, gvc, workload]);
    const answer =
      running.get(key) ?? probe(deps, org, { gvc, workload }).finally(() => running.delete(key));
    running.set(key, answer);
    return answer;
  };
}

async function probe(deps: ProbeDeps, org: string, target: ProbeTarget): Promise<Answer> {
  const { brand } = deps;
  const { deployments } = await readTargeted(deps, org, target);
  if (deployments.length === 0) {
    throw new Refusal(
      `${nameOf(target)} has no deployments, so nothing answers: a new workload appears after its first report.`,
    );
  }
  const alias = await findAlias(deps, { org, gvc: target.gvc }, deployments);
  if (alias === undefined) throw noAlias(target);
  const address = canonicalAddress(brand, org, { workload: target.workload, alias });
  let { url } = address;
  let calls = await askOften(() => ask(deps, url));
  const isUnknown = calls.every((call) => !isAnswered(call) && call.why === 'unknown-name');
  if (isUnknown && address.plain !== undefined) {
    url = address.plain;
    calls = await askOften(() => ask(deps, url));
  }
  return probeAnswer({
    org,
    target,
    url,
    unknown: url === address.url ? undefined : address.url,
    header: debugHeader(brand),
    calls,
    standing: standingOf(deployments),
    ready: deployments.filter(({ ready }) => ready).map(({ location }) => location),
  });
}

function debugHeader({ prefix }: Brand): string {
  return `x-${prefix}-debug`;
}

/** One call. @throws PlatformError when the process is asked to stop */
async function ask({ bare, brand, stopping }: ProbeDeps, url: URL): Promise<ProbeCall> {
  const headers = { [debugHeader(brand)]: 'true' };
  try {
    const answer = await bare.get(url.href, { headers, signal: stopping, timeoutMs: TIMEOUT_MS });
    const named = (what: string) =>
      answer.headers.get(`x-${brand.prefix}-${what}`)?.trim() || undefined;
    const { status, ms } = answer;
    return { status, location: named('location'), replica: named('replica'), ms };
  } catch (error) {
    if (!(error instanceof BareError) || stopping.aborted) throw error;
    return { why: error.why };
  }
}

async function askOften(ask: () => Promise<ProbeCall>): Promise<ProbeCall[]> {
  const calls: ProbeCall[] = [];
  while (calls.length < CALLS && calls.filter((call) => !isAnswered(call)).length < MAX_FAILURES) {
    calls.push(await ask());
  }
  return calls;
}

function noAlias(target: ProbeTarget): Refusal {
  return new Refusal(
    `No endpoint that the platform reports in ${target.gvc} tells the alias of that GVC, so the global address of ${nameOf(target)} is not known: please try again after its next report.`,
  );
}
