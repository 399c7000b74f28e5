/** What `svc` and the domains of the specification stand for here (design section 7). */
export interface Brand {
  /** `svc` */
  readonly prefix: string;
  readonly globalDomain?: string;
  readonly locationDomain?: string;
  readonly internalDomain?: string;
  /** Org -> the prefix of its endpoints. */
  readonly orgEndpointPrefixes: ReadonlyMap<string, string>;
}
