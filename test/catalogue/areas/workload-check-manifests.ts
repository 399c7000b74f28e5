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

const UNKNOWN = Array.from({ length: 15 }, (_, index) => `field${index + 1}: x`);

const NAMES = ['cart', 'checkout', 'orders-api', 'billing-web', 'search'];

const WRONG = ['defaultOptions: {timeoutSeconds: 900}'];

export const workloadCheckManifests: Area = {
  id: 'workload-check-manifests',
  title: '/workload check: what is in a manifest',
  entries: [
    pasted(
      'well',
      'Nothing is wrong.',
      manifestOf('cart', { spec: ['rolloutOptions: {maxSurgeReplicas: 2}'] }),
    ),
    pasted(
      'well-with-notes',
      'Nothing is wrong, and there is a note.',
      manifestOf('cart', { spec: REST }),
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
      'A GVC stands beside the workload.',
      manifests([
        'kind: gvc\nname: shop',
        'name: nobody knows',
        manifestOf('cart', { spec: WRONG }),
      ]),
    ),
    pasted(
      'not-covered-many',
      'More unknown fields than are named.',
      manifestOf('cart', { spec: UNKNOWN }),
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
