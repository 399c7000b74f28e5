import type { Area } from '../entry.ts';
import { pasted } from './workload-check.ts';
import { manifestOf, manifests } from './workload-manifests.ts';

const REST = [
  'type: standard',
  'firewallConfig: {external: {inboundAllowCIDR: [0.0.0.0/0]}}',
  'containers:',
  '  - name: web',
  '    image: //image/cart:1.42.0',
  '    cpu: 500m',
  '    memory: 512Mi',
];

/** Containers with these lines each. */
function containers(count: number, ...lines: string[]): string[] {
  return Array.from({ length: count }, (_, index) =>
    [`- name: c${index + 1}`, ...lines.map((line) => `  ${line}`)].map((line) => `  ${line}`),
  ).flat();
}

const ENV = Array.from({ length: 30 }, (_, index) => `  - {name: VARIABLE_${index + 1}, value: x}`);

/** Fields with long names, below one that is not known. */
function nuisance(count: number): string[] {
  const lines = Array.from({ length: count }, (_, at) => `  ${'very'.repeat(16)}Long${at}: x`);
  return ['nuisance:', ...lines];
}

const WELL = ['rolloutOptions: {maxSurgeReplicas: 2}', 'defaultOptions: {timeoutSeconds: 30}'];

const NAMES = ['cart', 'checkout', 'orders-api', 'billing-web', 'search'];

const WRONG = ['defaultOptions: {timeoutSeconds: 900}'];

export const workloadCheckManifests: Area = {
  id: 'workload-check-manifests',
  title: '/workload check: contents of a manifest',
  entries: [
    pasted(
      'well',
      'All fields are checked, and nothing is wrong.',
      manifestOf('cart', { spec: WELL }),
    ),
    pasted(
      'well-one-field',
      'The only field is checked, and nothing is wrong.',
      manifestOf('cart', { spec: ['rolloutOptions: {maxSurgeReplicas: 2}'] }),
    ),
    pasted(
      'well-with-notes',
      'All fields are checked, and there is a note.',
      manifestOf('cart', { spec: ['defaultOptions: {suspend: true, timeoutSeconds: 30}'] }),
    ),
    pasted(
      'well-in-part',
      'Some fields are checked, and nothing is wrong in them.',
      manifestOf('cart', { spec: [...WELL, ...REST] }),
    ),
    pasted(
      'well-one-of-several',
      'One field of several is checked.',
      manifestOf('cart', { spec: ['type: standard', 'identityLink: //identity/cart'] }),
    ),
    pasted(
      'tags-alone-in-two',
      'Two workloads with tags, and without fields.',
      manifests(['cart', 'checkout'].map((name) => manifestOf(name, { tags: ['team: shop'] }))),
    ),
    pasted(
      'none-checked-and-a-warning',
      'Not one of the fields is checked, and one of them occurs twice.',
      manifestOf('cart', {
        spec: ['identityLink: //identity/cart', 'identityLink: //identity/web'],
      }),
    ),
    pasted(
      'warnings-in-two-of-three',
      'Two of three workloads have a field twice.',
      manifests([
        manifestOf('cart', { spec: ['type: standard'] }),
        ...['checkout', 'stock'].map((name) =>
          manifestOf(name, { spec: ['type: standard', 'type: standard'] }),
        ),
      ]),
    ),
    pasted(
      'none-checked',
      'Not one of the fields is checked.',
      manifestOf('cart', { spec: ['job: {schedule: 0 3 * * *}', 'identityLink: //identity/cart'] }),
    ),
    pasted(
      'no-fields',
      'There are tags, and no fields.',
      manifestOf('cart', { tags: ['svc/protected: "true"'] }),
    ),
    pasted(
      'template',
      'A chart before it is rendered.',
      manifestOf('cart', {
        spec: [
          'type: "{{ .Values.type }}"',
          'rolloutOptions: {minReadySeconds: $MIN_READY}',
          'defaultOptions: {timeoutSeconds: 30}',
        ],
      }),
    ),
    pasted('one-error', 'There is one error.', manifestOf('cart', { spec: WRONG })),
    pasted(
      'everything',
      'There are errors, warnings and notes.',
      manifestOf('cart', {
        tags: ['team: storefront', 'svc/tracingDisabeld: true', 'svc/largeDisk: maybe'],
        spec: [...REST, 'rolloutOptions: {maxSurgeReplicas: 120%, scalingPolicy: Parallel}'],
      }),
    ),
    pasted('unnamed', 'A workload without a name.', `spec:\n  ${WRONG[0] ?? ''}`),
    pasted(
      'several',
      'Several workloads.',
      manifests(NAMES.slice(0, 2).map((name) => manifestOf(name, { spec: WRONG }))),
    ),
    pasted(
      'many',
      'More workloads than are named.',
      manifests(NAMES.map((name) => manifestOf(name, { spec: WRONG }))),
    ),
    pasted(
      'same-name',
      'Two workloads of the same name, and two without one.',
      manifests([
        ...['cart', 'cart'].map((name) => manifestOf(name, { spec: WRONG })),
        ...['', ''].map(() => 'kind: workload\nspec: {defaultOptions: {suspend: true}}'),
      ]),
    ),
    pasted(
      'list',
      'An export in JSON, with a list of items.',
      JSON.stringify(
        {
          kind: 'list',
          items: NAMES.slice(0, 2).map((name) => ({
            kind: 'workload',
            name,
            spec: { defaultOptions: { timeoutSeconds: 900 } },
          })),
        },
        undefined,
        2,
      ),
    ),
    pasted(
      'with-gvc',
      'A GVC beside the workload.',
      manifests([
        'kind: gvc\nname: shop',
        'name: no one knows',
        manifestOf('cart', { spec: WRONG }),
      ]),
    ),
    pasted(
      'with-gvc-well',
      'A GVC beside a workload with nothing wrong.',
      manifests(['kind: gvc\nname: shop', manifestOf('cart', { spec: WELL })]),
    ),
    pasted(
      'several-in-part',
      'Several workloads, of which some fields are checked.',
      manifests(
        NAMES.slice(0, 3).map((name) => manifestOf(name, { spec: [...WELL, 'identityLink: a'] })),
      ),
    ),
    pasted(
      'unchecked-in-lists',
      'So many fields are not checked that those of a list are named together.',
      manifestOf('cart', {
        spec: ['containers:', ...containers(20, 'image: a', 'memory: 1Gi'), ...WELL],
      }),
    ),
    pasted(
      'unchecked-more',
      'The names of the fields that are not checked take more than one paragraph.',
      manifestOf('cart', {
        spec: [...WELL, ...nuisance(50)],
      }),
    ),
    pasted(
      'unchecked-many',
      'So many fields are not checked that they are counted.',
      manifestOf('cart', {
        spec: [...WELL, ...nuisance(150)],
      }),
    ),
    pasted(
      'unchecked-below-mistakes',
      'There are mistakes, and fields that are not checked.',
      manifestOf('cart', {
        spec: [
          ...WRONG,
          'containers:',
          '  - name: web',
          '    env:',
          ...ENV.map((line) => `    ${line}`),
        ],
      }),
    ),
    pasted(
      'operator',
      'The form for the operator, with a GVC and a secret of Kubernetes beside the workload.',
      manifests([
        'apiVersion: svc.example.com/v1\nkind: gvc\nmetadata:\n  name: shop',
        'apiVersion: v1\nkind: Secret\nmetadata:\n  name: token',
        'apiVersion: svc.example.com/v1\nkind: workload\nmetadata:\n  name: cart\ngvc: shop\nspec:\n  type: standard',
      ]),
    ),
    pasted(
      'kubernetes',
      'Manifests of Kubernetes.',
      manifests([
        'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: cart\nspec:\n  replicas: 2',
        'apiVersion: v1\nkind: Service\nmetadata:\n  name: cart',
      ]),
    ),
    pasted(
      'kubernetes-beside',
      'A manifest of Kubernetes beside a workload.',
      manifests([
        manifestOf('cart', { spec: WELL }),
        'apiVersion: v1\nkind: Service\nmetadata:\n  name: cart',
      ]),
    ),
    pasted(
      'template-names',
      'Names and parts of values that a template leaves open.',
      manifestOf('cart', {
        tags: ['"svc/{{ .Values.tag }}": on', 'svc/externalAuthAddress: auth.${ENV}.example.com'],
        spec: [
          '"{{ .Values.option }}": on',
          'rolloutOptions: {maxSurgeReplicas: $PERCENT%}',
          'defaultOptions: {timeoutSeconds: 30}',
        ],
      }),
    ),
    pasted('no-workload', 'A manifest of something else.', 'kind: gvc\nname: shop'),
    pasted('no-workload-no-kind', 'A mapping of anything.', 'services:\n  web:\n    image: nginx'),
    pasted(
      'too-many-findings',
      'More findings than a message takes.',
      manifests(
        Array.from({ length: 150 }, (_, index) =>
          manifestOf(`cart-${index + 1}`, {
            spec: [
              'defaultOptions: {timeoutSeconds: 900, suspend: true}',
              'rolloutOptions: {maxSurgeReplicas: 1.5}',
            ],
          }),
        ),
      ),
    ),
    pasted(
      'long-names',
      'Long foreign texts with marks of their own.',
      manifestOf('cart', {
        tags: [`svc/protocol: "<b>${'very-'.repeat(30)}long\`tick\`</b>"`],
        spec: [`rolloutOptions: {scalingPolicy: "*bold* ${'x'.repeat(90)}"}`],
      }),
    ),
  ],
};
