/** What a special tag of a workload takes (spec 2.16). */
export type TagValue =
  /** `true`, and nothing else is listed. */
  | { readonly kind: 'flag' }
  /** `true` or `false`. */
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  /** `several`: also some with commas between them. */
  | { readonly kind: 'port'; readonly several?: true }
  /** Whole seconds up to `max`. */
  | { readonly kind: 'seconds'; readonly max: number }
  /** Such as `1s`. */
  | { readonly kind: 'duration' }
  /** One, or some with commas between them. */
  | { readonly kind: 'cidr' }
  /** A hostname or an IP address. */
  | { readonly kind: 'host' }
  /** Free text: "role name", "path". */
  | { readonly kind: 'text'; readonly what: string }
  /** What is published is one value at most, and others may do as well: nothing is wrong. */
  | { readonly kind: 'open'; readonly what: string };

/** One row of spec 2.16, or another tag that people set. Names and texts without the brand's prefix: it stands in front as `prefix/`. */
export interface TagRule {
  /** Without the prefix: `largeDisk`. */
  readonly name: string;
  readonly family: 'general' | 'external authorization' | 'rate limiting';
  readonly value: TagValue;
  /** What it does, as the end of no sentence: "internal endpoint includes replicas that …". */
  readonly effect: string;
  /** As text; absent: the specification lists none. */
  readonly default?: string;
  /** Needed as soon as another tag of its family is there. */
  readonly required?: true;
  /** The option that replaces it, as a path: `ports[].protocol`. */
  readonly insteadUse?: string;
  /** Where alone it may be used: "only for BYOK clusters". */
  readonly restriction?: string;
  /** What is better in some cases, as a sentence without its end. */
  readonly hint?: string;
  /** A value to start from; absent: one of its kind. `none`: nobody should start. */
  readonly example?: string | { readonly none: true };
}
