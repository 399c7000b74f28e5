import { describe, expect, test } from 'vitest';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import { TAGS } from '../../../../src/platform/workload/tags.ts';
import { tag, tagLines } from './lookup-support.ts';

/** The lines of a tag’s details: the word that each begins with. */
const factsOf = (name: string): string[] =>
  tag(name).flatMap((line) => /^• \*(.+?):?\*/.exec(line)?.[1] ?? []);

describe('the details of a tag', () => {
  test.each([
    ['protected', ['Values', 'Default', 'To copy']],
    ['protocol', ['Values', 'Default', 'Deprecated']],
    ['timeoutSecondsOverride', ['Values', 'Default', 'Note', 'To copy']],
    ['disableServiceMesh', ['Values', 'Default', 'Restriction', 'To copy']],
    ['ignore', ['Values', 'Default', 'Restriction']],
    ['externalAuthAddress', ['Values', 'Default', 'Effect', 'To copy']],
    ['externalAuthPort', ['Values', 'Default', 'Required beside it', 'Effect', 'To copy']],
    ['rateLimitAddress', ['Values', 'Default', 'To copy']],
    ['rateLimitDescriptors', ['Values', 'Default', 'Note', 'Required beside it', 'To copy']],
  ])('of %s are %j', (name, facts) => {
    expect(factsOf(name)).toEqual(facts);
  });

  test.each([
    ['protocol', '`http`, `http2`, `grpc` or `tcp` – '],
    ['protocol', ' · *deprecated*: use `ports[].protocol` instead'],
    ['timeoutSecondsOverride', ' · For values up to 600 use `spec.defaultOptions.timeoutSeconds`'],
    ['disableServiceMesh', ' · *only for BYOK clusters or workloads'],
    ['externalAuthAddress', 'hostname or IP, *required*'],
    ['externalAuthPort', 'port number, default `443`'],
    ['externalAuthPathPrefix', 'path, default none'],
    ['rateLimitDomain', 'default the platform’s short brand name'],
  ])('of %s are in its line, too: %s', (name, words) => {
    expect(tag(name)[0]).toContain(words);
  });

  test.each([
    ['externalAuthAddress', 'none, it is *required*'],
    ['externalAuthPort', '`443`'],
    ['externalAuthPathPrefix', 'none'],
  ])('have the default of %s: %s', (name, words) => {
    expect(tag(name)).toContain(`• *Default:* ${words}`);
  });
});

test.each([
  ['protected', ['`true`', 'not published'], [], '"true"'],
  [
    'timeoutSecondsOverride',
    ['whole seconds, at most 3600', 'not published'],
    ['*Note:* For values up to 600 use `spec.defaultOptions.timeoutSeconds`'],
    '"3600"',
  ],
  [
    'rateLimitDomain',
    ['domain identifier', 'the platform’s short brand name'],
    [
      '*Required beside it:* `svc/rateLimitAddress`',
      'What each tag of this family does in detail is not published',
    ],
    '"DOMAIN-IDENTIFIER"',
  ],
])('all facts of %s, in their order', (name, [values, usual], others, copy) => {
  expect(tag(name).slice(2)).toEqual(
    [
      `*Values:* ${values}`,
      `*Default:* ${usual}`,
      ...others,
      `*To copy* into \`tags\`: \`svc/${name}: ${copy}\``,
    ].map((fact) => `• ${fact}`),
  );
});

test('families have their effect above them, where there is one', () => {
  const effect = 'All requests are checked against the service before they are processed';

  expect(tagLines()).toEqual(
    expect.arrayContaining([
      '*General*',
      '*External rate limiting*',
      `*External authorization* – ${effect}`,
      '• `svc/protected` `true` – deletion of the workload is refused',
    ]),
  );
});

test('the default is offered to copy, and nothing where nobody should copy it', () => {
  expect(tag('rateLimitPort').at(-1)).toContain('svc/rateLimitPort: "443"');
  expect(tag('ignore').at(-1)).toContain('*Restriction:*');
});

test('only two tags are deprecated: protocol and multiZone', () => {
  expect(tagLines().filter((line) => line.includes('deprecated'))).toEqual([
    expect.stringContaining('svc/protocol'),
    expect.stringContaining('svc/multiZone'),
  ]);
});

/** Warnings about the tags of a workload that somebody copied there. */
function warningsAbout(tags: readonly string[]): string[] {
  const checked = checkManifest(['tags:', ...tags.map((one) => `  ${one}`)].join('\n'), 'svc');
  if ('unreadable' in checked) throw new Error(checked.unreadable.says);
  return checked.findings.flatMap(({ severity, what }) => (severity === 'note' ? [] : [what]));
}

test.each(TAGS.map(({ name }) => name))('what is offered to copy of %s has no warning', (name) => {
  const copies = (of: string) =>
    tag(of).flatMap((line) => /To copy\* into `tags`: `(.+)`$/.exec(line)?.[1] ?? []);
  const beside = ['externalAuthAddress', 'rateLimitAddress', 'rateLimitDescriptors'].filter(
    (other) => other.slice(0, 4) === name.slice(0, 4) && other !== name,
  );
  const said = warningsAbout([name, ...beside].flatMap(copies));

  // On other clusters it is right.
  expect(said.filter((what) => !what.startsWith('is only for BYOK clusters'))).toEqual([]);
  expect(copies(name)).toHaveLength(['protocol', 'multiZone', 'ignore'].includes(name) ? 0 : 1);
});

test('every special tag is listed as section 2.16 has it', () => {
  expect(tagLines().filter((line) => line.startsWith('• `svc/'))).toEqual([
    '• `svc/publishNotReadyAddresses` `true` – internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)',
    '• `svc/protocol` `http`, `http2`, `grpc` or `tcp` – overrides protocol detection · *deprecated*: use `ports[].protocol` instead',
    '• `svc/bypassProxyOutbound` `true` – outbound traffic bypasses the mesh proxy',
    '• `svc/disableServiceMeshInboundPort` port number – excludes an inbound port from the mesh',
    '• `svc/disableServiceMeshOutboundPort` port number – excludes an outbound port from the mesh',
    '• `svc/multiZone` `true` – multi-zone · *deprecated*: use `spec.defaultOptions.multiZone` instead',
    '• `svc/skipLocationEndpointHeaders` `true` – no location endpoint headers in redirect responses',
    '• `svc/discoverCrossGvcReplicas` `true` – discovery of replicas in other GVCs via mutual TLS',
    '• `svc/tracingDisabled` `true` – disables distributed tracing',
    '• `svc/largeDisk` `true` – large ephemeral disk',
    '• `svc/timeoutSecondsOverride` whole seconds, at most 3600 – timeout beyond the normal limit · For values up to 600 use `spec.defaultOptions.timeoutSeconds`',
    '• `svc/disableServiceMesh` `true` – disables the mesh · *only for BYOK clusters or workloads with a direct load balancer*',
    '• `svc/disableServiceMeshOutboundCIDR` CIDR range – excludes a range from mesh outbound · *only for BYOK clusters or workloads with a direct load balancer*',
    '• `svc/k8sClusterRole` role name – binds a cluster role to the workload’s service account · *only for BYOK clusters*',
    '• `svc/ignore` `true` – scheduler ignores the workload · *only for internal testing*',
    '• `svc/protected` `true` – deletion of the workload is refused',
    '• `svc/checksum` any text – hash of a configuration, as charts write it: when it changes, the workload gets a new version',
    '• `svc/relaxMemoryToCpuRatio` probably true – allows 32 MiB of memory per millicore of CPU, in place of 8',
    '• `svc/relaxGracePeriodMax` probably true – allows a termination grace period of 3600 seconds, in place of 900',
    '• `svc/externalAuthAddress` hostname or IP, *required*',
    '• `svc/externalAuthPort` port number, default `443`',
    '• `svc/externalAuthProtocol` `grpc` or `http`, default `grpc`',
    '• `svc/externalAuthScheme` `https` or `http`, default `https`',
    '• `svc/externalAuthTimeout` duration, such as 1s, default `1s`',
    '• `svc/externalAuthFailureAllow` `true` or `false`, default `true`',
    '• `svc/externalAuthPackAsBytes` `true` or `false`, default `false`',
    '• `svc/externalAuthRemoveRequestBody` `true` or `false`, default `false`',
    '• `svc/externalAuthIncludePeerCert` `true` or `false`, default `false`',
    '• `svc/externalAuthPathPrefix` path, default none',
    '• `svc/externalAuthUpstreamHeaderPrefixes` prefixes, default none',
    '• `svc/externalAuthListenPort` port number, default none',
    '• `svc/rateLimitAddress` hostname or IP, *required*',
    '• `svc/rateLimitPort` port number, default `443`',
    '• `svc/rateLimitDomain` domain identifier, default the platform’s short brand name',
    '• `svc/rateLimitScheme` `https` or `http`, default `https`',
    '• `svc/rateLimitDescriptors` string, default `authority`',
  ]);
});
