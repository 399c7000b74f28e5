import { BigNumber } from 'bignumber.js';
import { parse } from 'lossless-json';
import { expect } from 'vitest';
import { get } from '../../../support/http.ts';
import { startPlatform } from './support.ts';

/** The seed of the stand-in, as far as the examples name it. */
export const MAIN = '5f0c9d3e-8a41-4b7e-9c26-d1a7e3b0f482';
export const SECOND = 'b2e4a6c8-1d3f-4a5b-8c7d-9e0f1a2b3c4d';
export const PROCESSOR_ID = 'cus_SandboxMain';
export const ORGS = ['acme', 'globex', 'initech'];
/** Every `billing_admin` of the main account. */
export const ADMINS = ['ada@acme.example', 'ben@acme.example', 'gus@acme.example'];

const ADA = 'sandbox-user-ada';

/** An RFC 3339 time in UTC. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Role changes, revocations and expiry apply after this many seconds at the latest (spec 5). */
export const AUTH_CACHE = 300;

export const SEPTEMBER = { startTime: '2026-09-01T00:00:00Z', endTime: '2026-10-01T00:00:00Z' };
export const OCTOBER = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-11-01T00:00:00Z' };
export const CPU = { feature: 'workloads', metric: 'cpu' };
export const MEMORY = { feature: 'workloads', metric: 'memory' };
export const VOLUMES = { feature: 'volume-sets', metric: 'volume-set-capacity-bytes' };

/** A query's answer (spec 2.7), its numbers exact. */
export interface QueryResult {
  periods: Period[] | null;
  consumptionCount: BigNumber;
}
interface Period {
  startTime: string;
  endTime: string;
  totalSeconds: BigNumber;
  elapsedSeconds: BigNumber;
  consumptionCount: BigNumber;
  groups: { key: Record<string, string>; consumptions: Row[] }[];
}
export interface Row {
  value: BigNumber;
  tags: Record<string, string>;
  total: BigNumber;
  projectedTotal: BigNumber;
  currency: string;
  ratePlans: string[];
  details: Detail[];
}
export interface Detail {
  amount: BigNumber;
  units: BigNumber;
  rate: BigNumber;
  from: BigNumber;
  to: BigNumber;
  chargeableItemId: string;
  ratePlanItem: unknown;
}
export interface Item {
  id: string;
  name: string;
  description: string;
  consumptionTags: Record<string, string>;
  unit: string;
  type?: string;
}
interface Mail {
  at: number | string;
  kind: string;
  to: string;
  subject: string;
  text: string;
}

/** Amounts in the smallest unit of the currency. */
interface Invoice {
  id: string;
  startTime: string;
  endTime: string;
  totalCharge: number;
  periods: { startTime: string; endTime: string }[];
}

interface CallOptions {
  /** Sent as Bearer; by default the administrator ada, or the key of acme. */
  token?: string;
  /** The whole header instead. */
  authorization?: string;
  body?: unknown;
  /** A body as it is. */
  raw?: string;
  headers?: Record<string, string>;
}

export interface Answer<T> {
  status: number;
  type: string;
  text: string;
  /** Empty when the answer is not JSON. */
  body: T;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The two APIs over fetch, on a stand-in whose time stands still at 2026-10-05T12:00Z (a Monday). */
export async function startApis(options: Parameters<typeof startPlatform>[0] = {}) {
  const driver = await startPlatform(options);
  const { billingUrl, usageUrl, url } = driver.platform;
  const caller =
    (base: string, token: string) =>
    <T = Record<string, unknown>>(method: Method, path: string, options: CallOptions = {}) =>
      call<T>(method, `${base}${path}`, { token, ...options });
  const billing = caller(billingUrl, ADA);
  const usage = caller(usageUrl, 'sandbox-key-acme');
  const ok = async <T>(answer: Promise<Answer<T>>) => {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return body;
  };

  return {
    ...driver,
    billing,
    usage,
    /** Like `billing`, below the main account. */
    account: <T = Record<string, unknown>>(method: Method, path: string, options?: CallOptions) =>
      billing<T>(method, `/account/${MAIN}${path}`, options),
    /** `METHOD path`, below the main account unless it begins with `/account/` or `/org/`. */
    ask: <T = Record<string, unknown>>(request: string, body?: unknown, token?: string) => {
      const [method, path = ''] = request.split(' ');
      const isOrg = path.startsWith('/org/');
      const base = isOrg || path.startsWith('/account/') ? '' : `/account/${MAIN}`;
      const bearer = token ?? (isOrg ? 'sandbox-key-acme' : ADA);
      return billing<T>(method as Method, `${base}${path}`, { token: bearer, body });
    },
    /** The body of a call that must succeed. */
    ok,
    /** The exact answer of the charge query of the account (or of `path`). */
    charges: async (query: object, path = `/account/${MAIN}`) => {
      const asked = billing('POST', `${path}/charges/-query`, { body: monthly(query) });
      return (await exactOf<{ results: QueryResult }>(asked)).results;
    },
    /** The exact answer of the usage query of acme (or of `org`). */
    used: (query: object, org = 'acme') => {
      const options = { body: monthly(query), token: `sandbox-key-${org}` };
      return exactOf<QueryResult>(usage('POST', `/org/${org}/query`, options));
    },
    catalogue: async () => ok(billing<Item[]>('GET', '/chargeable_items')),
    emails: async () => (await get<{ emails: Mail[] }>(`${url}/_sandbox/emails`)).emails,
  };
}

/** The shape of every JSON error of the billing API (spec 7). */
export const refusal = (code: number, error: RegExp = /./) => ({
  code,
  error: expect.stringMatching(error) as string,
});

export type Apis = Awaited<ReturnType<typeof startApis>>;

const YEAR = 'start=2025-10-01T00:00:00Z&end=2026-10-05T12:00:00Z';

/** With the invoices of a year and five days. */
export async function startInvoices(options: Parameters<typeof startApis>[0] = {}) {
  const apis = await startApis(options);
  const read = async (path: string) =>
    (await apis.ok(apis.account<{ invoices: Invoice[] }>('GET', `/charges/invoices${path}`)))
      .invoices;
  return {
    ...apis,
    list: (range = YEAR) => read(`?${range}`),
    pending: (q = '') => read(`/pending${q}`),
  };
}

/** One consumption query: the rows of `filterBy`, priced by the two tags that most items need. */
export function select(filterBy: object, ...aggregateBy: string[]) {
  return [{ filterBy, aggregateBy: ['metric', 'locationType', ...aggregateBy] }];
}

/** One consumption query over everything, with every tag that the catalogue prices on. */
export function everything(items: Item[], ...aggregateBy: string[]) {
  const priced = items.flatMap(({ consumptionTags }) => Object.keys(consumptionTags));
  return [{ filterBy: {}, aggregateBy: [...new Set([...priced, ...aggregateBy])] }];
}

export function rowsOf(result: QueryResult): Row[] {
  return (result.periods ?? []).flatMap(({ groups }) =>
    groups.flatMap(({ consumptions }) => consumptions),
  );
}

/** The exact sum over all rows, as text. */
export function sumOf(result: QueryResult, field: 'total' | 'value'): string {
  return add(rowsOf(result).map((row) => row[field])).toFixed();
}

export function add(numbers: readonly BigNumber[]): BigNumber {
  return numbers.reduce((sum, number) => sum.plus(number), new BigNumber(0));
}

/** JSON with every number as it is written. */
export function exactly(text: string): unknown {
  return parse(text, null, (digits) => new BigNumber(digits));
}

async function exactOf<T>(asked: Promise<Answer<unknown>>): Promise<T> {
  const { status, text } = await asked;
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return exactly(text) as T;
}

/** Tag of every group -> exact sum of `field` over its rows. */
export function byKey(result: QueryResult, tag: string, field: 'total' | 'value') {
  const groups = (result.periods ?? []).flatMap(({ groups }) => groups);
  return Object.fromEntries(
    groups.map(({ key, consumptions }) => [
      key[tag],
      add(consumptions.map((row) => row[field])).toFixed(),
    ]),
  );
}

function monthly(query: object) {
  return {
    ...SEPTEMBER,
    timeStep: 'month',
    aggregateByTimeStep: false,
    groupBy: ['metric'],
    ...query,
  };
}

async function call<T>(
  method: Method,
  url: string,
  { token = '', authorization = `Bearer ${token}`, body, raw, headers }: CallOptions,
): Promise<Answer<T>> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(authorization === '' ? {} : { authorization }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  const text = bytes.toString('utf8');
  const isJson = type.startsWith('application/json') && text !== '';
  const parsed = isJson ? JSON.parse(text) : {};
  return { status: response.status, type, text, body: parsed as T };
}
