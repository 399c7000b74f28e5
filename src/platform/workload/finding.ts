/** What `/workload check` found at one place of a manifest (spec 2.13 and 2.16). */
export interface Finding {
  /** `error`: the platform cannot do that. `warning`: it can, and it is likely not meant. `note`: good to know. */
  readonly severity: 'error' | 'warning' | 'note';
  /** `spec.defaultOptions.timeoutSeconds`, `tags["svc/protocol"]`, `spec.containers[0].cpu`. */
  readonly path: string;
  /** In the text as it was given, from 1. */
  readonly line: number;
  /** The name of the workload that it belongs to, where it has one. */
  readonly workload?: string;
  /**
   * One sentence without its end, what is wrong: "is 900, but takes 1 to 600 seconds". Here and in `fix`
   * names and what is to be written stand between backticks, and nothing else does.
   */
  readonly what: string;
  /** What to do, as a sentence without its end; a note may have none. */
  readonly fix?: string;
}

/** The result of a check. */
export interface Checked {
  /** In the order of the text. */
  readonly findings: readonly Finding[];
  /** Of the workloads that were read, '' for one without a name; empty: there was none. */
  readonly workloads: readonly string[];
  readonly fields: Fields;
  /** Documents that are no workload, each once. */
  readonly others: readonly Other[];
}

interface Other {
  /** `gvc shop` */
  readonly name: string;
  /** What was looked at in it after all: "its load balancer". */
  readonly except?: string;
}

/** What stands below `spec` of all workloads; a list of plain values is one field. */
export interface Fields {
  readonly total: number;
  /** Of each field whose value was not looked at, its path in the workload: `spec.containers[0].cpu`. */
  readonly unchecked: readonly string[];
}
