import { describe, expect, test } from 'vitest';
import { checkManifest } from '../../../../src/platform/workload/check.ts';
import { TAGS } from '../../../../src/platform/workload/tags.ts';
import { createScrubber, scrubStrings } from '../../../../src/lib/secret.ts';
import { tagsAnswer } from '../../../../src/features/workload/lookups.ts';
import { tag, tagRows } from './lookup-support.ts';

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
  expect(tag(name).slice(1)).toEqual(
    [
      `*Values:* ${values}`,
      `*Default:* ${usual}`,
      ...others,
      `*To copy* into \`tags\`: \`svc/${name}: ${copy}\``,
    ].map((fact) => `• ${fact}`),
  );
});

test('external authorization is named in full, and no scrubber eats a heading', () => {
  const scrub = createScrubber([]);
  const answer = tagsAnswer({
    brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
    word: undefined,
  });

  expect(scrubStrings(answer, scrub)).toEqual(answer);
  expect(tag('externalAuthPort')).toContain(
    '• *Effect:* All requests are checked against the service before they are processed',
  );
});

test('a tag that lets requests pass says so, and offers what stops them to copy', () => {
  const facts = tag('externalAuthFailureAllow');

  expect(facts).toContain(
    '• *Note:* With true, requests pass while the service fails; set false where they should not',
  );
  expect(facts.at(-1)).toContain('svc/externalAuthFailureAllow: "false"');
  expect(facts.join(' ')).not.toContain('is not published');
});

test('the default is offered to copy, and nothing where no one should copy it', () => {
  expect(tag('rateLimitPort').at(-1)).toContain('svc/rateLimitPort: "443"');
  expect(tag('ignore').at(-1)).toContain('*Restriction:*');
});

test('only two tags are deprecated: protocol and multiZone', () => {
  expect(tagRows().filter(([, effect]) => effect?.includes('deprecated'))).toEqual([
    ['svc/protocol', expect.anything(), expect.anything(), expect.anything()],
    ['svc/multiZone', expect.anything(), expect.anything(), expect.anything()],
  ]);
});

/** Warnings about the tags of a workload that a person copied there. */
function warningsAbout(tags: readonly string[]): string[] {
  const checked = checkManifest(['tags:', ...tags.map((one) => `  ${one}`)].join('\n'), 'svc');
  if ('unreadable' in checked) throw new Error(checked.unreadable.says);
  return checked.findings.flatMap(({ severity, what }) => (severity === 'note' ? [] : [what]));
}

test.each(TAGS.map(({ name }) => name))('the example to copy for %s has no warning', (name) => {
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
  expect(tagRows()).toEqual([
    [
      'svc/publishNotReadyAddresses',
      'internal endpoint includes replicas that have not passed readiness (for peer discovery at startup)',
      'true',
      'not published',
    ],
    [
      'svc/protocol',
      'overrides protocol detection · deprecated: use ports[].protocol instead',
      'http, http2, grpc or tcp',
      'not published',
    ],
    [
      'svc/bypassProxyOutbound',
      'outbound traffic bypasses the mesh proxy',
      'true',
      'not published',
    ],
    [
      'svc/disableServiceMeshInboundPort',
      'excludes an inbound port from the mesh',
      'port number',
      'not published',
    ],
    [
      'svc/disableServiceMeshOutboundPort',
      'excludes an outbound port from the mesh',
      'port number',
      'not published',
    ],
    [
      'svc/multiZone',
      'multi-zone · deprecated: use spec.defaultOptions.multiZone instead',
      'true',
      'not published',
    ],
    [
      'svc/skipLocationEndpointHeaders',
      'no location endpoint headers in redirect responses',
      'true',
      'not published',
    ],
    [
      'svc/discoverCrossGvcReplicas',
      'discovery of replicas in other GVCs via mutual TLS',
      'true',
      'not published',
    ],
    ['svc/tracingDisabled', 'disables distributed tracing', 'true', 'not published'],
    ['svc/largeDisk', 'large ephemeral disk', 'true', 'not published'],
    [
      'svc/timeoutSecondsOverride',
      'timeout beyond the normal limit · For values up to 600 use spec.defaultOptions.timeoutSeconds',
      'whole seconds, at most 3600',
      'not published',
    ],
    [
      'svc/disableServiceMesh',
      'disables the mesh · only for BYOK clusters or workloads with a direct load balancer',
      'true',
      'not published',
    ],
    [
      'svc/disableServiceMeshOutboundCIDR',
      'excludes a range from mesh outbound · only for BYOK clusters or workloads with a direct load balancer',
      'CIDR range',
      'not published',
    ],
    [
      'svc/k8sClusterRole',
      'binds a cluster role to the workload’s service account · only for BYOK clusters',
      'role name',
      'not published',
    ],
    [
      'svc/ignore',
      'scheduler ignores the workload · only for internal testing',
      'true',
      'not published',
    ],
    ['svc/protected', 'deletion of the workload is refused', 'true', 'not published'],
    [
      'svc/checksum',
      'hash of a configuration, as charts write it: when it changes, the workload gets a new version',
      'any text',
      'not published',
    ],
    [
      'svc/relaxMemoryToCpuRatio',
      'allows 32 MiB of memory per millicore of CPU, in place of 8',
      'probably true',
      'not published',
    ],
    [
      'svc/relaxGracePeriodMax',
      'allows a termination grace period of 3600 seconds, in place of 900',
      'probably true',
      'not published',
    ],
    [
      'svc/externalAuthAddress',
      'setting of external authorization',
      'hostname or IP',
      'none, it is required',
    ],
    ['svc/externalAuthPort', 'setting of external authorization', 'port number', '443'],
    ['svc/externalAuthProtocol', 'setting of external authorization', 'grpc or http', 'grpc'],
    ['svc/externalAuthScheme', 'setting of external authorization', 'https or http', 'https'],
    ['svc/externalAuthTimeout', 'setting of external authorization', 'duration, such as 1s', '1s'],
    [
      'svc/externalAuthFailureAllow',
      'setting of external authorization · With true, requests pass while the service fails; set false where they should not',
      'true or false',
      'true',
    ],
    ['svc/externalAuthPackAsBytes', 'setting of external authorization', 'true or false', 'false'],
    [
      'svc/externalAuthRemoveRequestBody',
      'setting of external authorization',
      'true or false',
      'false',
    ],
    [
      'svc/externalAuthIncludePeerCert',
      'setting of external authorization',
      'true or false',
      'false',
    ],
    ['svc/externalAuthPathPrefix', 'setting of external authorization', 'path', 'none'],
    [
      'svc/externalAuthUpstreamHeaderPrefixes',
      'setting of external authorization',
      'prefixes',
      'none',
    ],
    ['svc/externalAuthListenPort', 'setting of external authorization', 'port number', 'none'],
    [
      'svc/rateLimitAddress',
      'setting of external rate limiting',
      'hostname or IP',
      'none, it is required',
    ],
    ['svc/rateLimitPort', 'setting of external rate limiting', 'port number', '443'],
    [
      'svc/rateLimitDomain',
      'setting of external rate limiting',
      'domain identifier',
      'the platform’s short brand name',
    ],
    ['svc/rateLimitScheme', 'setting of external rate limiting', 'https or http', 'https'],
    [
      'svc/rateLimitDescriptors',
      'setting of external rate limiting · By public accounts the default limits nothing; authorization, host and path do',
      'string',
      'authority',
    ],
  ]);
});
