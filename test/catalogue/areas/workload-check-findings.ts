import type { Area, Entry } from '../entry.ts';
import { pasted } from './workload-check.ts';
import { manifestOf, manifests } from './workload-manifests.ts';

type Lines = readonly string[];

/** Workloads, each with its lines below `spec:`. */
function specs(id: string, when: string, bySpec: Readonly<Record<string, Lines>>): Entry {
  const all = Object.entries(bySpec).map(([name, spec]) => manifestOf(name, { spec }));
  return pasted(`options-${id}`, when, manifests(all));
}

const ROLLOUT = 'rolloutOptions:';
const RETRY = 'requestRetryPolicy:';
const DEFAULTS = 'defaultOptions:';

export const workloadCheckOptions: Area = {
  id: 'workload-check-options',
  title: '/workload check: runtime options',
  entries: [
    specs('wrong-values', 'Values that were meant well, and are not taken.', {
      cart: [
        ROLLOUT,
        '  minReadySeconds: 10s',
        '  maxUnavailableReplicas: 25 %',
        '  maxSurgeReplicas: half',
        '  scalingPolicy: parallel',
        '  terminationGracePeriodSeconds: -90',
        RETRY,
        '  attempts: 1.5',
        '  retryOn: [503, unavailable]',
        DEFAULTS,
        '  suspend: yes',
        '  timeoutSeconds: 5s',
        '  multiZone: {enabled: "false"}',
      ],
    }),
    specs('wrong-values-without-guess', 'Wrong values without a suggestion.', {
      cart: [
        ROLLOUT,
        '  scalingPolicy: random',
        RETRY,
        '  retryOn: unavailable',
        DEFAULTS,
        '  suspend: 1',
        '  timeoutSeconds: 0',
      ],
    }),
    specs('too-long', 'A timeout that is longer than the option allows.', {
      cart: [DEFAULTS, '  timeoutSeconds: 900'],
    }),
    specs('too-long-by-type', 'The same for workloads of other types.', {
      cart: ['type: standard', DEFAULTS, '  timeoutSeconds: 900'],
      stock: ['type: stateful', DEFAULTS, '  timeoutSeconds: 7200'],
      'nightly-report': ['type: cron', DEFAULTS, '  timeoutSeconds: 3600'],
    }),
    specs('grace', 'A long time to shut down.', {
      cart: [ROLLOUT, '  terminationGracePeriodSeconds: 1800'],
    }),
    pasted(
      'options-grace-relaxed',
      'A time to shut down that is longer than even a tag allows.',
      manifestOf('cart', {
        tags: ['svc/relaxGracePeriodMax: "true"'],
        spec: [ROLLOUT, '  terminationGracePeriodSeconds: 7200'],
      }),
    ),
    pasted(
      'options-grace-not-relaxed',
      'A time to shut down that a tag would allow, if it was silent no.',
      manifestOf('cart', {
        tags: ['svc/relaxGracePeriodMax: "false"'],
        spec: [ROLLOUT, '  terminationGracePeriodSeconds: 1800'],
      }),
    ),
    specs('type', 'Types that do not exist.', {
      cart: ['type: Stateful'],
      checkout: ['type: deployment'],
      'orders-api': ['loadBalancer: {direct: {enabled: "on"}}'],
    }),
    specs('quoted', 'Numbers in quotes, as many charts write them.', {
      cart: [ROLLOUT, '  minReadySeconds: "10"', '  maxSurgeReplicas: "1"'],
    }),
    specs('wrong-kinds', 'Lists and mappings in the place of values, and the other way round.', {
      cart: [
        ROLLOUT,
        '  minReadySeconds: [10]',
        '  maxSurgeReplicas: {value: 1}',
        '  scalingPolicy: [Parallel]',
        RETRY,
        '  attempts: [2]',
        '  retryOn: [[unavailable], {on: reset}, null]',
        DEFAULTS,
        '  suspend: [true]',
        '  multiZone: true',
      ],
      checkout: ['rolloutOptions: fast', 'defaultOptions: []', 'requestRetryPolicy: 2'],
    }),
    specs('empty', 'Options without their values.', {
      cart: [
        ROLLOUT,
        '  minReadySeconds:',
        '  maxSurgeReplicas:',
        '  scalingPolicy:',
        RETRY,
        '  attempts:',
        '  retryOn:',
        DEFAULTS,
        '  suspend:',
        '  timeoutSeconds:',
      ],
    }),
    specs('odd', 'Values that are taken, and likely not meant.', {
      cart: [
        ROLLOUT,
        '  minReadySeconds: "10"',
        '  maxUnavailableReplicas: 100.5%',
        '  maxSurgeReplicas: 1.5',
        RETRY,
        '  attempts: "3"',
        '  retryOn: [connect-failures]',
      ],
    }),
    specs('notes', 'Values that are right, and have consequences.', {
      cart: [
        ROLLOUT,
        '  maxUnavailableReplicas: 100%',
        '  scalingPolicy: Parallel',
        RETRY,
        '  attempts: 3',
        DEFAULTS,
        '  suspend: true',
        '  debug: true',
        '  multiZone: {enabled: true}',
      ],
    }),
    specs('standstill', 'Nothing may be added, and nothing may be away.', {
      cart: [ROLLOUT, '  maxSurgeReplicas: 0', '  maxUnavailableReplicas: 0%'],
    }),
    specs('twice', 'An option is given twice.', {
      cart: [DEFAULTS, '  suspend: false', '  timeoutSeconds: 5', '  suspend: false'],
    }),
    pasted(
      'options-zones',
      'Multi-zone, and a dedicated load balancer of the GVC without it.',
      manifests([
        'kind: gvc\nname: shop\nspec:\n  loadBalancer:\n    dedicated: true',
        manifestOf('cart', { spec: [DEFAULTS, '  multiZone: {enabled: true}'] }),
      ]),
    ),
  ],
};

function fields(id: string, when: string, spec: Lines): Entry {
  return pasted(`fields-${id}`, when, manifestOf('cart', { spec }));
}

export const workloadCheckFields: Area = {
  id: 'workload-check-fields',
  title: '/workload check: names of fields',
  entries: [
    fields('misspelt', 'Names that are nearly those of fields.', [
      'defaultOption: {suspend: false}',
      'rolloutOptions: {maxSurge: 1}',
      'firewalConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}',
      'containers:',
      '  - {name: web, imgae: //image/cart:1, ports: [{nubmer: 8080}]}',
    ]),
    fields('nothing-in-it', 'A command without a word.', [
      'containers:',
      '  - {name: web, image: //image/cart:1, readinessProbe: {exec: {command: []}}}',
    ]),
    fields('unknown', 'A name that is like no field.', [
      'defaultOptions: {timeoutSeconds: 5}',
      'nuisance: {level: 2}',
    ]),
    fields('kubernetes', 'Fields of Kubernetes.', [
      'replicas: 2',
      'initContainers: []',
      'containers:',
      '  - name: web',
      '    resources: {limits: {cpu: 1, memory: 1Gi}}',
      '    ports: [{containerPort: 8080}]',
      '    volumeMounts: [{name: data, mountPath: /data}]',
      '    env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: cart, key: token}}}]',
      '    envFrom: []',
      '    startupProbe: {httpGet: {path: /}}',
      '    securityContext: {runAsUser: 1000}',
      '    imagePullPolicy: Always',
    ]),
    fields('elsewhere', 'Fields in the wrong place.', [
      'type: cron',
      'job: {suspend: true}',
      'firewallConfig: {http: {inboundHeaderFilter: []}}',
    ]),
    fields('misplaced', 'Fields that are known, one level too high or too low.', [
      'port: 8080',
      'description: The cart of the shop',
      'defaultOptions: {minScale: 2}',
      'containers:',
      '  - {name: web, timeoutSeconds: 30, httpGet: {path: /}}',
    ]),
    pasted(
      'fields-misspelt-top',
      'Misspelt names at the top.',
      'kind: workload\nname: cart\ndescripton: Cart\nspecs: {}',
    ),
  ],
};
