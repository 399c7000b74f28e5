/** The stand-in platform as its control API tells it. */
export type PlatformState = {
  /** The stand-in's present, in milliseconds since the epoch. */
  readonly now: number;
  readonly orgs: readonly OrgState[];
  /** The first one pays for all orgs of the seed. */
  readonly accounts: readonly AccountState[];
  /** Mails that would have been sent, oldest first. */
  readonly emails: readonly EmailState[];
  /** What the stand-in can play by itself. */
  readonly stories: readonly StoryState[];
};

export type StoryState = {
  readonly name: string;
  readonly label: string;
  readonly of: 'workload' | 'location' | 'gvc' | 'platform';
};

export type AccountState = {
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

export type LocationState = {
  readonly name: string;
  readonly ready: boolean;
  readonly deploying: boolean;
  readonly message: string;
  /** What the stand-in plays here: `steady`, `rolling-out`, `stale`, `oom`, … */
  readonly scenario: string;
};

/** How a run of a cron workload can end or stand. */
export const executionStatuses = [
  'successful',
  'failed',
  'invalid',
  'active',
  'pending',
  'removed',
] as const;

export type Control = ReturnType<typeof createControl>;

/** Calls of the stand-in platform, passed on by the page's own origin; both throw with its words. */
export function createControl(fetch: typeof globalThis.fetch) {
  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(`/page/platform/${path}`, init);
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(wordsOf(answer, 'error') || 'The platform refused.');
    return answer;
  };
  return {
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

function wordsOf(answer: unknown, field: 'error' | 'says'): string {
  const words = (answer as Partial<Record<string, unknown>> | null)?.[field];
  return typeof words === 'string' ? words : '';
}
