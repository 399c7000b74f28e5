import type { BareCause } from '../../platform/bare-http.ts';

/** A call that was answered, with what its headers say; or why it was not. Headers are foreign text. */
export type ProbeCall = Answered | { readonly why: BareCause };

export interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly replica: string | undefined;
  /** Until the head of the answer. */
  readonly ms: number;
}

/** Why a workload may not serve at all, as its deployments tell. */
export type Standing = 'cron' | 'suspended' | 'idle' | 'not-ready';

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
  standing: Standing | undefined;
  /** Locations that the platform calls ready. */
  ready: readonly string[];
}

export function isAnswered(call: ProbeCall): call is Answered {
  return !('why' in call);
}
