/** A variable that every container of a workload has (spec 2.15). Names and texts carry no prefix. */
export interface Variable {
  /** After the prefix and its underscore: `GVC_ALIAS`. */
  readonly name: string;
  readonly meaning: string;
  /** What it looks like; `{global_domain}` stands for the configured one. */
  readonly form?: string;
  /** Sentences without their ends, in which "it" is the variable. */
  readonly notes?: readonly string[];
  /** The header of a request that has it as its whole value. */
  readonly header?: string;
}

/** In the order of spec 2.15; what is known of the token and the version also from 4.4, 5 and 9. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'GLOBAL_ENDPOINT',
    meaning: 'canonical Host header',
    form: '<workloadName>-<gvcAlias>.{global_domain}',
  },
  { name: 'GVC', meaning: 'GVC name' },
  { name: 'GVC_ALIAS', meaning: '13-character alphanumeric alias of the GVC' },
  { name: 'LOCATION', meaning: 'serving location, e.g. provider-region form' },
  { name: 'NAMESPACE', meaning: 'generated random string' },
  { name: 'PROVIDER', meaning: 'cloud provider of the serving location' },
  { name: 'ORG', meaning: 'org name' },
  { name: 'WORKLOAD', meaning: 'workload name' },
  {
    name: 'WORKLOAD_VERSION',
    meaning:
      'numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)',
    notes: ['It tracks the version of the workload, which its deployments report as well'],
  },
  {
    name: 'TOKEN',
    meaning: 'authorization token for the API and CLI',
    notes: [
      'Send it as the plain value of the Authorization header, without Bearer, to the org path of the API',
      'It is valid only when the request comes from the workload it was injected in: from another workload or from outside it yields 403',
      'Without an assigned identity the workload can still read its parent org',
      'A workload identity can be the target of a policy',
    ],
    header: 'Authorization',
  },
  { name: 'IMAGE', meaning: 'the image as defined for the container' },
];

/** The name of a variable as a container has it: `SVC_GVC`. */
export function variableName(prefix: string, { name }: Pick<Variable, 'name'>): string {
  return `${prefix.toUpperCase()}_${name}`;
}
