import type { Area, Entry } from '../entry.ts';
import { pasted } from './workload-check.ts';
import { manifestOf, manifests } from './workload-manifests.ts';

type Lines = readonly string[];

/** One workload, or one for each list of lines below `tags:`. */
function tags(id: string, when: string, lines: Lines, ...others: Lines[]): Entry {
  const names = ['cart', 'checkout', 'orders-api', 'billing-web', 'search', 'stock'];
  const all = [lines, ...others].map((some, index) =>
    manifestOf(names[index] ?? `other-${index}`, { tags: some }),
  );
  return pasted(`tags-${id}`, when, manifests(all));
}

const CLOSED = 'svc/externalAuthFailureAllow: "false"';
const ADDRESS = 'svc/externalAuthAddress: auth.example.com';
const RANGE = 'svc/disableServiceMeshOutboundCIDR';
const ZONES = ['defaultOptions:', '  multiZone: {enabled: true}'];
const OUT_OF_MESH = ['svc/disableServiceMesh: true', `${RANGE}: 10.0.0.0/8`];

export const workloadCheckTags: Area = {
  id: 'workload-check-tags',
  title: '/workload check: special tags',
  entries: [
    tags('wrong-values', 'Tags of each kind with values that are not taken.', [
      'svc/largeDisk: yes',
      'svc/tracingDisabled: false',
      'svc/disableServiceMeshInboundPort: http',
      'svc/timeoutSecondsOverride: 7200',
      'svc/protocol: gprc',
      'svc/externalAuthAddress: https://auth.example.com:8443/check',
      'svc/externalAuthScheme: tls',
      'svc/externalAuthTimeout: 5',
      'svc/externalAuthPackAsBytes: yes',
      'svc/externalAuthPathPrefix: check',
      'svc/externalAuthUpstreamHeaderPrefixes: ""',
      CLOSED,
      'svc/rateLimitAddress: no host',
    ]),
    tags('duration', 'A duration that no one understands.', [
      ADDRESS,
      CLOSED,
      'svc/externalAuthTimeout: soon',
    ]),
    tags(
      'range',
      'Ranges that are invalid, too short, or name one of their addresses.',
      ...(['mesh', '10.0.0.1', '10.0.0.0/33', '10.1.2.3/8'].map((value) => [
        `${RANGE}: ${value}`,
      ]) as [string[], ...string[][]]),
    ),
    tags('wrong-kinds', 'Tags that are empty, a list or a mapping.', [
      'svc/tracingDisabled:',
      'svc/largeDisk: [true]',
      'svc/bypassProxyOutbound: {on: true}',
    ]),
    pasted('tags-list', 'The tags are a list.', 'kind: workload\nname: cart\ntags: [a, b]'),
    pasted('tags-text', 'The tags are a text.', 'kind: workload\nname: cart\ntags: largeDisk'),
    tags('unknown', 'Tags that are one letter off, unknown, or of another prefix.', [
      'svc/tracingDisabeld: true',
      'svc/team: storefront',
      'svc/protocols: http',
      'acme/largeDisk: true',
      'acme/multiZone: true',
      'acme/team: storefront',
    ]),
    tags('of-tools', 'Tags that charts and tools set.', [
      'svc/release: cart',
      'svc/checksum: 5b1c9f0a',
      'svc/deployTimestamp: 2026-08-14T07:12:44Z',
      'svc/protected: "true"',
      'svc/marketplace-template: postgres',
    ]),
    tags('of-other-kinds', 'Tags that do something on other kinds of resources alone.', [
      'svc/sessionCookie: session',
      'svc/skipDNSCheck: "true"',
      'svc/country: DE',
      'svc/trivy-scan: "true"',
      'svc/custom-logo: https://acme.example/logo.svg',
    ]),
    tags('deprecated', 'Deprecated tags.', ['svc/multiZone: true', 'svc/protocol: grpc']),
    pasted(
      'tags-deprecated-repeated',
      'A deprecated tag says the same as its option.',
      manifestOf('cart', { tags: ['svc/multiZone: true'], spec: ZONES }),
    ),
    pasted(
      'tags-deprecated-contradicted',
      'A deprecated tag says something else than the ports do.',
      manifestOf('cart', {
        tags: ['svc/protocol: grpc'],
        spec: ['containers:', '  - {name: web, cpu: 1, ports: [{number: 80, protocol: http}]}'],
      }),
    ),
    tags('restricted', 'Tags that are for some clusters alone.', [
      ...OUT_OF_MESH,
      'svc/k8sClusterRole: reader',
      'svc/ignore: true',
    ]),
    pasted(
      'tags-restricted-direct',
      'Tags that are for a direct load balancer, which there is.',
      manifestOf('cart', { tags: OUT_OF_MESH, spec: ['loadBalancer: {direct: {enabled: true}}'] }),
    ),
    tags('timeout', 'A tag for longer requests, where the option is enough.', [
      'svc/timeoutSecondsOverride: 600',
    ]),
    tags('address-missing', 'Tags of two families, without the address of their service.', [
      'svc/externalAuthPort: 8443',
      'svc/rateLimitDomain: web',
    ]),
    tags('limits-nothing', 'Rate limiting with its default limit.', [
      'svc/rateLimitAddress: limiter',
    ]),
    tags('limits-nothing-stated', 'The same, and stated.', [
      'svc/rateLimitAddress: limiter',
      'svc/rateLimitDescriptors: authority',
    ]),
    tags('open', 'Requests pass while the authorization fails.', [ADDRESS]),
  ],
};
