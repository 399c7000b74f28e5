import { parse } from 'yaml';

/** A JSON Schema with words of ours, which `Ajv` ignores. */
export interface Schema {
  readonly type?: string | readonly string[];
  /** After "but takes"; absent: made of the limits. */
  readonly takes?: string;
  /** After "write". */
  readonly eg?: string;
  /** Where a number in place of a text is an error. */
  readonly strict?: true;
  readonly properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The published facts of a workload; objects take no other fields than theirs. */
export const WORKLOAD_SCHEMA: Schema = closed(
  parse(
    String.raw`
type: object
properties:
  kind: {}
  gvc: &text {type: string, takes: text}
  name: {type: string, pattern: '^[a-z][-a-z0-9]*[a-z0-9]$', maxLength: 49, not: {type: string, pattern: '-headless$'}, takes: 'a name of 2 to 49 lower-case letters, digits and hyphens that starts with a letter, and ends with a letter or a digit and not with -headless', eg: 'a name such as ${'`web-api`'}'}
  description: {type: string, maxLength: 250, takes: text}
  tags: {}
  spec:
    type: object
    properties:
      type: {enum: [serverless, standard, stateful, cron, vm]}
      identityLink: {type: string, nullable: true, pattern: '^(/org/[^/]+/gvc/[^/]+|//gvc/[^/]+|/)/identity/[^/]+$', takes: a link to an identity, eg: 'a link such as ${'`//identity/NAME`'}'}
      supportDynamicTags: &switch {type: boolean}
      containers:
        type: array
        maxItems: 8
        items:
          type: object
          properties:
            name: {type: string, pattern: '^[a-z][-a-z0-9]*[a-z0-9]$', maxLength: 63, not: {type: string, pattern: '^(svc-|debugger-|(istio-proxy|queue-proxy|istio-validation)$)'}, takes: 'a name of 2 to 63 lower-case letters, digits and hyphens that starts with a letter, ends with a letter or a digit, and is not used by the platform itself', eg: 'a name such as ${'`web`'}'}
            image: {type: string, minLength: 1, takes: an image, eg: 'one such as ${'`//image/NAME:TAG`'}'}
            command: {type: string, maxLength: 256, takes: one text, eg: 'one text, and the others below ${'`args`'}'}
            args: &texts {type: array, items: *text}
            workingDir: &path {type: string, pattern: '^/', takes: an absolute path, eg: 'a path such as ${'`/data`'}'}
            cpu: &cpu {type: string, pattern: '^(\d+|\d*\.\d+)m?$', maxLength: 20, takes: CPU such as 500m or 0.5, eg: '${'`500m`'}, or another amount'}
            memory: &memory {type: string, pattern: '^\d+(\.\d+)?([EPTGMk]|[EPTGMK]i|m)?$', maxLength: 20, takes: memory such as 512Mi or 1Gi, eg: '${'`512Mi`'}, or another amount'}
            minCpu: *cpu
            minMemory: *memory
            inheritEnv: *switch
            port: &port {type: integer, minimum: 80, maximum: 65535, not: {enum: [8012, 8022, 9090, 9091, 15000, 15001, 15006, 15020, 15021, 15090, 41000]}, takes: 'a port from 80 to 65535 that the platform does not keep for itself (8012, 8022, 9090, 9091, 15000, 15001, 15006, 15020, 15021, 15090, 41000)', eg: 'another port, such as ${'`8080`'}'}
            ports: {type: array, items: {type: object, required: [number], properties: {number: *port, protocol: {enum: [http, http2, grpc, tcp]}}}}
            env:
              type: array
              items:
                type: object
                required: [name]
                properties:
                  name: {type: string, pattern: '^[-._a-zA-Z][-._a-zA-Z0-9]*$', maxLength: 120, takes: 'a name of letters, digits, dots, hyphens and underscores', eg: 'one such as ${'`LOG_LEVEL`'}'}
                  value: {type: string, maxLength: 4096, takes: text}
            volumes:
              type: array
              maxItems: 15
              items:
                type: object
                required: [uri]
                properties:
                  uri: {type: string, pattern: '^(s3|gs|azureblob|azurefs|scratch|k8s|[a-z]+)://.', takes: the address of a volume, eg: 'one such as ${'`svc://volumeset/NAME`'}'}
                  path: *path
                  recoveryPolicy: {enum: [retain, recycle]}
                  name: *text
                  bus: *text
                  bootOrder: {type: integer, minimum: 1, maximum: 16}
            readinessProbe: &probe
              type: object
              properties:
                exec: &exec {type: object, required: [command], properties: {command: {type: array, minItems: 1, items: *text}}}
                grpc: &onPort {type: object, properties: {port: *port}}
                tcpSocket: *onPort
                httpGet:
                  type: object
                  properties:
                    path: {type: string, maxLength: 256, takes: a path}
                    port: *port
                    scheme: {enum: [HTTP, HTTPS]}
                    httpHeaders: {type: array, items: {type: object, required: [name], properties: {name: *text, value: *text}}}
                initialDelaySeconds: {type: integer, minimum: 0, maximum: 600}
                periodSeconds: &upTo600 {type: integer, minimum: 1, maximum: 600}
                timeoutSeconds: *upTo600
                successThreshold: &upTo20 {type: integer, minimum: 1, maximum: 20}
                failureThreshold: *upTo20
            livenessProbe: *probe
            lifecycle: {type: object, properties: {postStart: &hook {type: object, properties: {exec: *exec}}, preStop: *hook}}
            metrics: {type: object, properties: {port: *port, path: {type: string, maxLength: 128, takes: a path}, dropMetrics: *texts}}
            gpu:
              type: object
              properties:
                nvidia: {type: object, required: [model], properties: {model: {enum: [t4, a10g]}, quantity: {type: integer, minimum: 0, maximum: 4}}}
                custom: {type: object, properties: {resource: *text, runtimeClass: *text, quantity: {type: integer, minimum: 0, maximum: 8}}}
      firewallConfig:
        type: object
        properties:
          external:
            type: object
            properties:
              inboundAllowCIDR: {type: array, maxItems: 250, items: &cidr {type: string, format: cidr, takes: an address or a CIDR range, eg: 'one such as ${'`10.0.0.0/8`'}'}}
              inboundBlockedCIDR: &cidrs {type: array, items: *cidr}
              outboundAllowCIDR: *cidrs
              outboundBlockedCIDR: *cidrs
              outboundAllowHostname: {type: array, items: {type: string, maxLength: 128, pattern: '^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$|^\*$', takes: 'a hostname in lower case, with * as its first label at most', eg: 'one such as ${'`*.example.com`'}'}}
              outboundAllowPort: {type: array, items: {type: object, required: [protocol, number], properties: {protocol: {enum: [http, https, tcp]}, number: *port}}}
              http: {type: object, properties: {inboundHeaderFilter: {type: array, items: {type: object, required: [key], properties: {key: &short {type: string, maxLength: 128, takes: text}, allowedValues: *texts, blockedValues: *texts}}}}}
          internal:
            type: object
            properties:
              inboundAllowType: {enum: [none, same-gvc, same-org, workload-list]}
              inboundAllowWorkload: {type: array, items: {type: string, pattern: '^(/org/[^/]+|/)/gvc/[^/]+/workload/[^/]+$|^[a-z]+://internal/keda$|/agent/[^/]+$|^//workload/[^/]+$', takes: a link to a workload, eg: 'a link such as ${'`//gvc/GVC/workload/NAME`'}'}}
      defaultOptions:
        type: object
        properties: &options
          autoscaling:
            type: object
            properties:
              metric: {enum: [concurrency, cpu, memory, rps, latency, keda, disabled]}
              metricPercentile: {enum: [p50, p75, p99]}
              target: &target {type: integer, minimum: 1, maximum: 20000}
              minScale: &count {type: integer, minimum: 0, eg: 'a whole number such as ${'`2`'}'}
              maxScale: *count
              scaleToZeroDelay: {type: integer, minimum: 30, maximum: 3600}
              maxConcurrency: {type: integer, minimum: 0, maximum: 30000}
              multi: {type: array, items: {type: object, required: [metric], properties: {metric: {enum: [cpu, memory, rps]}, target: *target}}}
              keda:
                type: object
                properties:
                  triggers: {type: array, items: {type: object, required: [type], properties: {type: *text, name: *text, metadata: {type: object, additionalProperties: *text}, useCachedMetrics: *switch, metricType: &metricType {enum: [AverageValue, Value, Utilization]}, authenticationRef: {type: object, required: [name], properties: {name: *text}}}}}
                  advanced: {type: object, properties: {scalingModifiers: {type: object, properties: {target: *text, activationTarget: *text, metricType: *metricType, formula: *text}}}}
                  fallback: {type: object, properties: {failureThreshold: *count, replicas: *count, behavior: {enum: [static, currentReplicas, currentReplicasIfHigher, currentReplicasIfLower]}}}
                  pollingInterval: &from1 {type: integer, minimum: 1}
                  cooldownPeriod: *from1
                  initialCooldownPeriod: *from1
          capacityAI: *switch
          capacityAIUpdateMinutes: {type: integer, minimum: 2}
          timeoutSeconds: {type: integer, minimum: 1, takes: '1 to 600 seconds, as a whole number', eg: 'a whole number such as ${'`30`'}'}
          spot: *switch
          suspend: *switch
          debug: {}
          multiZone: {type: object, properties: {enabled: *switch}}
      localOptions: {type: array, items: {type: object, required: [location], properties: {location: {type: string, pattern: '^(/org/[^/]+|/)/location/[^/]+$', takes: a link to a location, eg: 'a link such as ${'`//location/aws-us-east-1`'}'}, <<: *options}}}
      rolloutOptions:
        type: object
        properties:
          minReadySeconds: &seconds {type: number, minimum: 0, takes: 'a number of seconds, 0 or more', eg: 'a number such as ${'`30`'}'}
          maxUnavailableReplicas: &replicas {type: [number, string], minimum: 0, pattern: '^\d+(\.\d+)?%$', takes: 'a number of replicas or a percentage, 0 or more', eg: 'a number such as ${'`1`'}, or a percentage such as ${'`"25%"`'}'}
          maxSurgeReplicas: *replicas
          scalingPolicy: {enum: [OrderedReady, Parallel]}
          terminationGracePeriodSeconds: *seconds
      requestRetryPolicy: {type: object, properties: {attempts: *count, retryOn: {type: array, items: {type: string, takes: text, strict: true}}}}
      job:
        type: object
        required: [schedule]
        properties:
          schedule: {type: string, pattern: '^\s*([\d*?,/LW-]+\s+){3}([\w*?,/-]+)\s+[\w*?,/#-]+\s*$|^@[a-z]+$', takes: 'the five fields of a cron schedule, in UTC', eg: 'one such as ${'`0 3 * * *`'}'}
          concurrencyPolicy: {enum: [Forbid, Replace, Allow]}
          historyLimit: {type: integer, minimum: 1, maximum: 10}
          restartPolicy: {enum: [Never, OnFailure]}
          activeDeadlineSeconds: {type: integer, minimum: 1, maximum: 86400}
      securityOptions: {type: object, properties: {runAsUser: {type: integer, minimum: 1, maximum: 65534, not: {enum: [1337]}, takes: 1 to 65534 without 1337}, filesystemGroupId: {type: integer, minimum: 1, maximum: 65534}}}
      loadBalancer:
        type: object
        properties:
          replicaDirect: *switch
          direct: {type: object, properties: {enabled: *switch, ipSet: *text, ports: {type: array, items: {type: object, required: [externalPort, protocol], properties: {externalPort: {type: integer, minimum: 22, maximum: 32768}, protocol: {enum: [TCP, UDP]}, scheme: {enum: [http, tcp, https, ws, wss]}, containerPort: {type: integer, minimum: 1, maximum: 65535}}}}}}
          geoLocation: {type: object, properties: {enabled: *switch, headers: {type: object, properties: {asn: *short, city: *short, country: *short, region: *short}}}}
      sidecar: {type: object, properties: {envoy: {type: object, properties: {accessLog: {}, clusters: {}, excludedExternalAuth: {}, excludedRateLimit: {}, http: {}, network: {}, volumes: {}}}}}
      extras: {type: object, properties: {affinity: {}, tolerations: {}, topologySpreadConstraints: {}}}
      vm:
        type: object
        properties:
          runStrategy: {enum: [Always, RerunOnFailure, Manual, Halted]}
          guestOS: {enum: [linux, windows]}
          cloudInit: {}
          bootDisk: {type: object, required: [persist], properties: {source: {type: object, properties: {oci: {type: object, required: [image], properties: {image: *text}}, http: {type: object, required: [url], properties: {url: *text}}}}, persist: {type: object, required: [volumeSet], properties: {volumeSet: *text}}}}
  # Of an export, and of the operator's form.
  id: {}
  version: {}
  created: {}
  lastModified: {}
  links: {}
  status: {}
  alias: {}
  origin: {}
  health: {}
  apiVersion: {}
  metadata: {}
  org: {}
`,
    { merge: true },
  ) as Schema,
);

function closed(schema: Schema): Schema {
  if (schema.properties !== undefined) schema.additionalProperties ??= false;
  for (const below of Object.values(schema.properties ?? {})) closed(below);
  if (schema.items !== undefined) closed(schema.items);
  return schema;
}
