import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../json.ts';
import type { Workspace } from '../workspace.ts';
import { appMethods } from './app.ts';
import { ApiFailure, createArgs, type Method, type Methods } from './call.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import type { Fault, Faults } from './faults.ts';
import { fileMethods } from './files.ts';
import { peopleMethods } from './people.ts';
import { viewMethods } from './views.ts';

const METHODS: Methods = {
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...peopleMethods,
  ...viewMethods,
};

/** One call of the Web API, as `/_sandbox/requests` shows it. */
interface RequestRecord {
  readonly method: string;
  /** Without the token. */
  readonly args: Json;
  readonly ok: boolean;
  readonly error?: string;
  readonly status: number;
  /** Milliseconds. */
  readonly at: number;
}

interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | string;
  /** Cut the connection instead of answering. */
  readonly reset: boolean;
}

export interface Dispatcher {
  call(method: string, raw: Json, token: string | undefined): Promise<ApiAnswer>;
  readonly records: RequestRecord[];
  /** The token lacks these scopes of the manifest from now on. */
  withhold(scopes: readonly string[]): void;
}

export function createDispatcher(deps: {
  workspace: Workspace;
  faults: Faults;
  botToken: string;
  appToken: string;
}): Dispatcher {
  const { workspace, faults, botToken, appToken } = deps;
  let { scopes } = workspace.manifest;
  const records: RequestRecord[] = [];

  function assertToken(method: Method, token: string | undefined): void {
    if (method.token === 'none') return;
    if (!token) throw new ApiFailure('not_authed');
    if (token !== botToken && token !== appToken) throw new ApiFailure('invalid_auth');
    if (token !== (method.token === 'app' ? appToken : botToken)) {
      throw new ApiFailure('not_allowed_token_type');
    }
  }
  function need(...anyOf: string[]): void {
    if (anyOf.some((scope) => scopes.includes(scope))) return;
    throw new ApiFailure('missing_scope', {
      needed: anyOf.join(','),
      provided: scopes.join(','),
    });
  }
  function run(name: string, raw: Json, token: string | undefined, fault?: Fault): Json {
    const method = METHODS[name];
    if (!method) return { ok: false, error: 'unknown_method', req_method: name };
    try {
      assertToken(method, token);
      if (method.scope) need(method.scope);
      const hasScope = (scope: string) => scopes.includes(scope);
      const threads = fault && THREADS[fault.kind];
      const call = { args: createArgs(raw), workspace, need, hasScope, threads };
      return { ok: true, ...method.run(call) };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      return { ok: false, error: error.code, ...error.details };
    }
  }
  return {
    records,
    withhold(withheld) {
      scopes = workspace.manifest.scopes.filter((scope) => !withheld.includes(scope));
    },
    async call(name, raw, token) {
      const { token: _token, ...args } = raw;
      const fault = faults.take(name, args);
      const waiting = fault?.delayMs ?? 0;
      if (fault?.kind === 'delay-before') await pause(waiting);
      const answer = refusalOf(fault) ?? plain(run(name, raw, token, fault), scopes);
      if (fault?.kind === 'delay-after') await pause(waiting);
      records.push({ method: name, args, ...resultOf(answer), at: workspace.clock.now() });
      return spoiled(answer, fault);
    },
  };
}

const THREADS: Readonly<Partial<Record<Fault['kind'], 'ignored' | 'open'>>> = {
  unthread: 'ignored',
  tomb: 'open',
};

function resultOf({ body, reset, status }: ApiAnswer) {
  const result = typeof body === 'string' ? {} : body;
  return {
    ok: result['ok'] === true,
    ...(typeof result['error'] === 'string' && { error: result['error'] }),
    ...(reset && { error: 'reset' }),
    status,
  };
}

/** Keeps no process alive that has nothing else to do. */
const pause = (ms: number) => delay(ms, undefined, { ref: false });

const plain = (body: Json, scopes: readonly string[]): ApiAnswer => ({
  status: 200,
  headers: { 'x-oauth-scopes': scopes.join(',') },
  body,
  reset: false,
});

const unavailable = ({ status = 503 }: Fault): ApiAnswer => ({
  status,
  headers: {},
  body: 'upstream unavailable',
  reset: false,
});

/** The fate of an answer once the method is done. */
function spoiled(answer: ApiAnswer, fault: Fault | undefined): ApiAnswer {
  if (fault?.kind === 'reset-after') return { ...answer, reset: true };
  return fault?.kind === 'http-after' ? unavailable(fault) : answer;
}

/** The answer of a fault in place of the method's; undefined when the method runs. */
function refusalOf(fault: Fault | undefined): ApiAnswer | undefined {
  const base = { headers: {}, reset: false };
  switch (fault?.kind) {
    case 'error':
      return { ...base, status: 200, body: { ok: false, error: fault.error ?? 'internal_error' } };
    case 'http':
      return unavailable(fault);
    case 'ratelimit':
      return {
        ...base,
        status: 429,
        headers: { 'retry-after': String(fault.retryAfter ?? 1) },
        body: { ok: false, error: 'ratelimited' },
      };
    case 'reset-before':
      return { ...base, status: 0, body: {}, reset: true };
    case undefined:
    case 'reset-after':
    case 'http-after':
    case 'delay-before':
    case 'delay-after':
    case 'unthread':
    case 'tomb':
      return undefined;
  }
}
