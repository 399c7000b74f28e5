import { BareError } from '../../platform/bare-http.ts';
import type { BareAnswer, BareCause, BareHttp } from '../../platform/bare-http.ts';
import type { Finding } from './check.ts';
import { broken, doubtful, well } from './findings.ts';
import { see } from './platform-seen.ts';
import type { Seen } from './platform-seen.ts';

/** Milliseconds; what is left of a look is for the calls with a credential. */
const REACH_MS = 8_000;

/** An address of the configuration, and a path below it that is there and takes a credential. */
export interface Address {
  /** The variable: `API_URL`. */
  readonly variable: string;
  readonly url: string;
  readonly path: string;
  /** A GET of it says so when it is not there; where the API takes a POST, it says nothing. */
  readonly isGet: boolean;
}

/** One GET without a credential. */
export async function reach(
  bare: BareHttp,
  { url, path }: Address,
  signal: AbortSignal,
): Promise<Seen<BareAnswer>> {
  return see(bare.get(`${url}/${path}`, { signal, timeoutMs: REACH_MS }));
}

/** Whether asking with a credential makes sense. */
export function isThere(seen: Seen<BareAnswer>): boolean {
  return seen.ok && (seen.value.status < 300 || seen.value.status >= 400);
}

/** @param known whether a call with a credential showed that the path is right, whatever came of it */
export function judgeReach(address: Address, seen: Seen<BareAnswer>, known: boolean): Finding {
  const { variable, url, isGet } = address;
  if (!seen.ok) {
    const why = seen.error instanceof BareError ? seen.error.why : 'other';
    const { says, fix } = NO_ANSWER[why](variable, new URL(url).host);
    return (why === 'timeout' ? doubtful : broken)(variable, says, fix);
  }
  const { status } = seen.value;
  if (!isThere(seen)) {
    return broken(
      variable,
      `it leads on to another address (status ${status}), and keys are sent to none but the configured one`,
      `set ${variable} to the address of the API itself`,
    );
  }
  if (status === 404 && isGet && !known) {
    return wrongPath(address);
  }
  if (status >= 500 && !known) {
    return broken(
      variable,
      `the platform answers that it fails (status ${status})`,
      `try again in a minute, and ask whoever runs the platform if it stays so; ${variable} has its address`,
    );
  }
  return well(variable, 'reachable');
}

/** The host answers, and has the API somewhere else. */
export function wrongPath({ variable }: Pick<Address, 'variable'>, what = variable): Finding {
  return broken(
    what,
    'something answers there, and knows no such path (status 404)',
    `check the path in ${variable}: something is missing or too much behind the host`,
  );
}

type Sentence = (variable: string, host: string) => { readonly says: string; readonly fix: string };

const NO_ANSWER: Readonly<Record<BareCause, Sentence>> = {
  'unknown-name': (variable, host) => ({
    says: `no such host is known: ${host}`,
    fix: `check the spelling in ${variable}, and the DNS of the machine that Purser runs on`,
  }),
  refused: (variable, host) => ({
    says: `nobody listens at ${host}`,
    fix: `check host and port in ${variable}, and whether the platform is up`,
  }),
  timeout: (variable, host) => ({
    says: `slow: ${host} gives no answer within ${REACH_MS / 1_000} s`,
    fix: `run /purser doctor again in a minute; if it stays so, check host and port in ${variable}, and whether a firewall keeps Purser from ${host}`,
  }),
  certificate: (variable, host) => ({
    says: `the certificate of ${host} is not trusted`,
    fix: `check the host in ${variable}; for an authority of your own set NODE_EXTRA_CA_CERTS`,
  }),
  'no-tls': (variable, host) => ({
    says: `${host} does not speak TLS as https takes it`,
    fix: `check the port in ${variable}, and whether it is https there`,
  }),
  unreadable: (variable, host) => ({
    says: `${host} answers in another way than HTTP`,
    fix: `check the port in ${variable}, and whether it is https there`,
  }),
  other: (variable, host) => ({
    says: `the connection to ${host} fails`,
    fix: `check host and port in ${variable}, and the network between`,
  }),
};
