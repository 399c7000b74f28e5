/** Names of the fields below a field; null: what stands below is a value, or is named freely. */
export type Fields = ReadonlyMap<string, Fields | null>;

/** @param values names with a space between them, of which nothing below is known */
function fields(values: string, groups: Readonly<Record<string, Fields>> = {}): Fields {
  const names = values.split(' ').filter((name) => name !== '');
  return new Map<string, Fields | null>([
    ...names.map((name): [string, null] => [name, null]),
    ...Object.entries(groups),
  ]);
}

const EXEC = fields('', { exec: fields('command') });

const PROBE = fields(
  'initialDelaySeconds periodSeconds timeoutSeconds successThreshold failureThreshold',
  {
    exec: fields('command'),
    grpc: fields('port'),
    tcpSocket: fields('port'),
    httpGet: fields('path port scheme', { httpHeaders: fields('name value') }),
  },
);

const CONTAINER = fields(
  'name image command args workingDir cpu memory minCpu minMemory port inheritEnv',
  {
    gpu: fields('', {
      nvidia: fields('model quantity'),
      custom: fields('resource runtimeClass quantity'),
    }),
    ports: fields('number protocol'),
    env: fields('name value'),
    volumes: fields('uri path recoveryPolicy name bus bootOrder'),
    readinessProbe: PROBE,
    livenessProbe: PROBE,
    lifecycle: fields('', { postStart: EXEC, preStop: EXEC }),
    metrics: fields('port path dropMetrics'),
  },
);

const KEDA = fields('pollingInterval cooldownPeriod initialCooldownPeriod', {
  triggers: fields('type name metadata useCachedMetrics metricType', {
    authenticationRef: fields('name'),
  }),
  advanced: fields('', {
    scalingModifiers: fields('target activationTarget metricType formula'),
  }),
  fallback: fields('failureThreshold replicas behavior'),
});

const DEFAULT_OPTIONS = fields(
  'capacityAI capacityAIUpdateMinutes timeoutSeconds spot suspend debug',
  {
    multiZone: fields('enabled'),
    autoscaling: fields(
      'metric metricPercentile target minScale maxScale scaleToZeroDelay maxConcurrency',
      { multi: fields('metric target'), keda: KEDA },
    ),
  },
);

const SPEC = fields('type identityLink supportDynamicTags', {
  containers: CONTAINER,
  firewallConfig: fields('', {
    external: fields(
      'inboundAllowCIDR inboundBlockedCIDR outboundAllowCIDR outboundBlockedCIDR outboundAllowHostname',
      {
        outboundAllowPort: fields('protocol number'),
        http: fields('', { inboundHeaderFilter: fields('key allowedValues blockedValues') }),
      },
    ),
    internal: fields('inboundAllowType inboundAllowWorkload'),
  }),
  defaultOptions: DEFAULT_OPTIONS,
  localOptions: new Map<string, Fields | null>([['location', null], ...DEFAULT_OPTIONS]),
  rolloutOptions: fields(
    'minReadySeconds maxUnavailableReplicas maxSurgeReplicas scalingPolicy terminationGracePeriodSeconds',
  ),
  requestRetryPolicy: fields('attempts retryOn'),
  job: fields('schedule concurrencyPolicy historyLimit restartPolicy activeDeadlineSeconds'),
  securityOptions: fields('runAsUser filesystemGroupId'),
  loadBalancer: fields('replicaDirect', {
    direct: fields('enabled ipSet', {
      ports: fields('externalPort protocol scheme containerPort'),
    }),
    geoLocation: fields('enabled', { headers: fields('asn city country region') }),
  }),
  sidecar: fields('', {
    envoy: fields('accessLog clusters excludedExternalAuth excludedRateLimit http network volumes'),
  }),
  extras: fields('affinity tolerations topologySpreadConstraints'),
  vm: fields('runStrategy guestOS cloudInit bootDisk'),
});

/**
 * Every published name of a field of a workload: those that one writes, those of an export, and those of
 * the form for the operator. Whatever stands in a list has the names of its list.
 */
export const WORKLOAD_FIELDS: Fields = fields(
  'kind name gvc description tags ' +
    'id version created lastModified links status alias origin health ' +
    'apiVersion metadata org',
  { spec: SPEC },
);
