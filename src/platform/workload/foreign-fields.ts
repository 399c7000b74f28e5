/** A field that people write where a workload has none of that name, and what to do instead. */
export interface ForeignField {
  readonly what: string;
  readonly fix: string;
}

/**
 * What is refused for sure: names of Kubernetes, and fields that stand elsewhere. Undefined for all others.
 * @param parent the name that it stands below @param prefix of the brand
 */
export function foreignField(
  name: string,
  parent: string,
  prefix: string,
): ForeignField | undefined {
  const place = ELSEWHERE.get(`${parent}.${name}`);
  if (place !== undefined) {
    return { what: `is no field of \`${parent}\``, fix: `write \`${place}\` in its place` };
  }
  const fix = KUBERNETES.get(name)?.replace('svc://', `${prefix}://`);
  return fix === undefined
    ? undefined
    : { what: 'is a field of Kubernetes that no workload has', fix };
}

const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['job.suspend', 'spec.defaultOptions.suspend'],
  ['firewallConfig.http', 'spec.firewallConfig.external.http'],
]);

const KUBERNETES: ReadonlyMap<string, string> = new Map([
  ['resources', 'write `cpu` and `memory` of the container in its place'],
  ['containerPort', 'write `number` in its place'],
  ['volumeMounts', 'write `volumes` of the container, each with its `uri` and `path`'],
  ['valueFrom', 'write `value` in its place, for a secret `svc://secret/NAME.KEY`'],
  ['envFrom', 'write each variable below `env`'],
  [
    'startupProbe',
    'write `initialDelaySeconds` of `readinessProbe` or `livenessProbe` in its place',
  ],
  ['securityContext', 'write `spec.securityOptions` in its place'],
  ['initContainers', 'leave it out: a workload has `containers` alone'],
  ['replicas', 'write `minScale` and `maxScale` of `spec.defaultOptions.autoscaling` in its place'],
  ['imagePullPolicy', 'leave it out'],
]);
