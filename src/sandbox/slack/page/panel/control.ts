/** The stand-in platform as its control API shows it. */
export type PlatformState = {
  /** The stand-in's present, in milliseconds since the epoch. */
  readonly now: number;
  readonly orgs: readonly OrgState[];
  /** The first one pays for all orgs of the seed. */
  readonly accounts: readonly AccountState[];
  /** Mails that would have been sent, oldest first. */
  readonly emails: readonly EmailState[];
  /** The stories that the stand-in can play by itself. */
  readonly stories: readonly StoryState[];
};

export type StoryState = {
  readonly name: string;
  readonly label: string;
  readonly of: 'workload' | 'location' | 'gvc' | 'platform';
};

export type AccountState = {
  readonly users: readonly { readonly email: string; readonly roles: readonly string[] }[];
  readonly alert?: {
    readonly amount: number;
    readonly enabled: boolean;
    readonly lastTriggered?: string;
  };
};

type EmailState = {
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
};

type OrgState = { readonly name: string; readonly gvcs: readonly GvcState[] };

export type GvcState = {
  readonly name: string;
  readonly version: number;
  readonly locations: readonly string[];
  readonly workloads: readonly WorkloadState[];
};

export type WorkloadState = {
  readonly name: string;
  readonly type: string;
  readonly version: number;
  readonly replicas: number;
  readonly locations: readonly LocationState[];
};

/** A call or a delivery between the bot and a stand-in, without any credential. */
export type Traffic = {
  readonly at: number;
  readonly way: 'Purser → platform' | 'Purser → Slack' | 'Slack → Purser';
  readonly what: string;
  readonly answer: string;
};

export type LocationState = {
  readonly name: string;
  readonly ready: boolean;
  readonly deploying: boolean;
  readonly message: string;
  /** The state that the stand-in plays here: `steady`, `rolling-out`, `stale`, `oom`, … */
  readonly scenario: string;
};

export type Control = ReturnType<typeof createControl>;

/** Calls of the stand-in platform, passed on by the page's own origin; both throw with its words. */
export function createControl(fetch: typeof globalThis.fetch) {
  const read = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(path, init);
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(wordsOf(answer, 'error') || 'The platform refused.');
    return answer;
  };
  const call = (path: string, init?: RequestInit) => read(`/page/platform/${path}`, init);
  return {
    /** The traffic between the bot and both stand-ins, newest first. */
    traffic: async (): Promise<Traffic[]> => {
      const [platform, slack, back] = (await Promise.all([
        call('requests'),
        read('/_sandbox/requests'),
        read('/_sandbox/deliveries'),
      ])) as [{ requests: Logged[] }, { requests: Logged[] }, { deliveries: Logged[] }];
      return [
        ...trafficOf('Purser → platform', platform.requests),
        ...trafficOf('Purser → Slack', slack.requests),
        ...trafficOf('Slack → Purser', back.deliveries),
      ].toSorted((a, b) => b.at - a.at);
    },
    /** Answers once it runs again. */
    restart: async (what: 'worker' | 'redis'): Promise<void> => {
      const body = JSON.stringify({ what });
      const answer = await read('/page/demo/restart', { method: 'POST', body });
      const problem = wordsOf(answer, 'error');
      if (problem !== '') throw new Error(problem);
    },
    state: async (): Promise<PlatformState> => {
      const [state, mails] = await Promise.all([call('state'), call('emails')]);
      return { ...(state as PlatformState), ...(mails as Pick<PlatformState, 'emails'>) };
    },
    /** Answers with what the platform says about it; mostly nothing. */
    send: async (path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      return wordsOf(
        await call(path, { method: 'POST', headers, body: JSON.stringify(body) }),
        'says',
      );
    },
  };
}

/** A call in one of the three logs. */
type Logged = {
  readonly at: number | string;
  readonly method?: string;
  readonly path?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly status?: number | null;
  readonly ok?: boolean;
  readonly error?: string;
};

function trafficOf(way: Traffic['way'], calls: readonly Logged[]): Traffic[] {
  return calls.map(({ at, method, path, kind, name, status, ok, error }) => ({
    at: new Date(at).getTime(),
    way,
    what: withoutSecrets([method, path, kind, name].filter(Boolean).join(' ')),
    answer: ok === true ? 'ok' : (error ?? String(status ?? 'cut')),
  }));
}

/** Credentials are in headers, which the logs leave out; this hides anything that looks like one. */
const withoutSecrets = (path: string): string =>
  path.replace(/(?:xox[a-z]|xapp|svc-bsat|sandbox-(?:key|user|superuser))-[\w-]+/g, '••••');

function wordsOf(answer: unknown, field: 'error' | 'says'): string {
  const words = (answer as Partial<Record<string, unknown>> | null)?.[field];
  return typeof words === 'string' ? words : '';
}
