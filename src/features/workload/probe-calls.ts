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
  /** Locations that the platform calls ready. */
  ready: readonly string[];
}

export function isAnswered(call: ProbeCall): call is Answered {
  return !('why' in call);
}
