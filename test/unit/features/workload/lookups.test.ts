import { describe, expect, test } from 'vitest';
import { envAnswer, tagsAnswer } from '../../../../src/features/workload/lookups.ts';
import { createScrubber, scrubStrings } from '../../../../src/lib/secret.ts';
import { TAGS, VARIABLES } from '../../../../src/platform/workload/tags.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { spoken, stepOf, tableOf } from '../../../support/answer.ts';
import * as fc from '../../../support/fast-check.ts';
import { messageProblems } from '../../../contract/money/slack-invariants.ts';
import { checked } from '../../platform/workload/check-support.ts';
import { hostile } from '../../slack/hostile.ts';

const brandOf = (prefix: string) => ({ prefix, orgEndpointPrefixes: new Map<string, string>() });
const tags = (word?: string, prefix = 'svc') => tagsAnswer({ brand: brandOf(prefix), word });
const env = (word?: string, prefix = 'svc') => envAnswer({ brand: brandOf(prefix), word });
const namesIn = (answer: ReturnType<typeof tags>) =>
  tableOf(answer)
    .slice(1)
    .map(([name]) => name);
const headOf = (answer: ReturnType<typeof tags>) => spoken({ blocks: answer.blocks.slice(0, 1) });

test('all tags and all variables are listed, each with a button to all about it', () => {
  expect(namesIn(tags())).toEqual(TAGS.map(({ name }) => `svc/${name}`));
  expect(stepOf(tags(), 'svc/protocol').value).toBe('/workload tags protocol');
  expect(namesIn(env())).toEqual(VARIABLES.map(({ name }) => `SVC_${name}`));
});

/** Name, values and default of each; the effects are in the catalogue. */
const SECTION_2_16 = `
publishNotReadyAddresses | true | not published
protocol | http, http2, grpc or tcp | not published
bypassProxyOutbound | true | not published
disableServiceMeshInboundPort | port number | not published
disableServiceMeshOutboundPort | port number | not published
multiZone | true | not published
skipLocationEndpointHeaders | true | not published
discoverCrossGvcReplicas | true | not published
tracingDisabled | true | not published
largeDisk | true | not published
timeoutSecondsOverride | whole seconds, at most 3600 | not published
disableServiceMesh | true | not published
disableServiceMeshOutboundCIDR | CIDR range | not published
k8sClusterRole | role name | not published
ignore | true | not published
protected | true | not published
checksum | any text | not published
relaxMemoryToCpuRatio | probably true | not published
relaxGracePeriodMax | probably true | not published
externalAuthAddress | hostname or IP | none, it is required
externalAuthPort | port number | 443
externalAuthProtocol | grpc or http | grpc
externalAuthScheme | https or http | https
externalAuthTimeout | duration, such as 1s | 1s
externalAuthFailureAllow | true or false | true
externalAuthPackAsBytes | true or false | false
externalAuthRemoveRequestBody | true or false | false
externalAuthIncludePeerCert | true or false | false
externalAuthPathPrefix | path | none
externalAuthUpstreamHeaderPrefixes | prefixes | none
externalAuthListenPort | port number | none
rateLimitAddress | hostname or IP | none, it is required
rateLimitPort | port number | 443
rateLimitDomain | domain identifier | the platform’s short brand name
rateLimitScheme | https or http | https
rateLimitDescriptors | string | authority`;

test('every special tag is listed as section 2.16 has it', () => {
  const rows = tableOf(tags()).slice(1);

  expect(
    rows.map(([name, , values, usual]) => `svc/${name?.slice(4)} | ${values} | ${usual}`),
  ).toEqual(
    SECTION_2_16.trim()
      .split('\n')
      .map((line) => `svc/${line}`),
  );
  expect(rows.filter(([, effect]) => effect?.includes('deprecated')).map(([name]) => name)).toEqual(
    ['svc/protocol', 'svc/multiZone'],
  );
});

const SECTION_2_15 = `
GLOBAL_ENDPOINT | canonical Host header
GVC | GVC name
GVC_ALIAS | 13-character alphanumeric alias of the GVC
LOCATION | serving location, e.g. provider-region form
NAMESPACE | generated random string
PROVIDER | cloud provider of the serving location
ORG | org name
WORKLOAD | workload name
WORKLOAD_VERSION | numeric workload version; changes only when a change has to be applied (a scaling-only change does not change it)
TOKEN | authorization token for the API and CLI
IMAGE | the image as defined for the container`;

test('every built-in variable is listed as section 2.15 has it', () => {
  const rows = tableOf(env()).slice(1);

  expect(rows.map(([name, meaning]) => `${name?.slice(4)} | ${meaning}`)).toEqual(
    SECTION_2_15.trim().split('\n'),
  );
});

test.each([
  ['TOKEN', 'Without an assigned identity the workload can still read its parent org'],
  ['TOKEN', 'A workload identity can be the target of a policy'],
  ['WORKLOAD_VERSION', 'It tracks the version of the workload, which its deployments report'],
  ['health', 'has the values `Loading`, `Healthy`, `Unhealthy`, `Deleting`, `Unknown`'],
  ['svc-mounter', 'object stores mounted by a workload are metered to that workload'],
])('about %s is known: %s', (word, fact) => {
  expect(JSON.stringify(env(word))).toContain(fact);
  expect(JSON.stringify(env('gvc'))).not.toContain(fact);
});

describe('a word', () => {
  test.each(['svc/externalAuth', 'EXTERNAL_AUTH'])('finds a family by its names: %s', (word) => {
    expect(namesIn(tags(word))).toHaveLength(12);
  });

  test.each(['token', 'SVC_TOKEN', 'authorization header'])('finds one variable: %s', (word) => {
    expect(headOf(env(word))).toContain('`SVC_TOKEN` – authorization token');
  });

  test.each([
    ['ephemeral', 'svc/largeDisk'],
    ['CIDR range', 'svc/disableServiceMeshOutboundCIDR'],
    ['authority', 'svc/rateLimitDescriptors'],
    ['spec.defaultOptions.multiZone', 'svc/multiZone'],
  ])('is found in the effect, values, default and replacement of a tag: %s', (word, name) => {
    expect(headOf(tags(word))).toContain(name);
  });

  test('without letters matches nothing', () => {
    expect(headOf(env('+++'))).toMatch(/^No variable has “\+\+\+”.*: `\/workload env` shows all/);
  });
});

test('every name carries the prefix of the brand, and no other', () => {
  const all = JSON.stringify([
    ...[undefined, 'acme/largedisk', 'rateLimit', 'externalAuthPort'].map((word) =>
      tags(word, 'acme'),
    ),
    ...[undefined, 'ACME_TOKEN'].map((word) => env(word, 'acme')),
  ]);

  expect(all).toContain('$ACME_TOKEN');
  expect(all).toContain('acme/largeDisk: ');
  expect(all).not.toMatch(/\bsvc[/_-]/i);
});

test('no scrubber of secrets takes a heading for one', () => {
  expect(scrubStrings(tags(), createScrubber([]))).toEqual(tags());
});

test.each(TAGS.map(({ name }) => name))('the example to copy for %s has no warning', (name) => {
  const copies = (of: string) =>
    [...JSON.stringify(tags(`svc/${of}`)).matchAll(/To copy\* into `tags`: `([^`]+)`/g)].map(
      ([, line = '']) => line.replaceAll('\\"', '"'),
    );
  const beside = ['externalAuthAddress', 'rateLimitAddress', 'rateLimitDescriptors'].filter(
    (other) => other.slice(0, 4) === name.slice(0, 4) && other !== name,
  );
  const lines = [name, ...beside].flatMap(copies).map((line) => `  ${line}`);
  const raised = checked(['tags:', ...lines].join('\n')).findings.filter(
    // On other clusters it is right.
    ({ severity, what }) => severity !== 'note' && !what.startsWith('is only for BYOK clusters'),
  );

  expect(raised).toEqual([]);
  expect(copies(name)).toHaveLength(['protocol', 'multiZone', 'ignore'].includes(name) ? 0 : 1);
});

test('a match can be shared, and an answer without a match is for one person', () => {
  expect(tags('protocol')).toMatchObject({ shareable: true, needs: 'orgs' });
  expect(env('quux')).not.toHaveProperty('shareable');
});

test('an answer keeps Slack’s limits whatever is typed, and no one speaks through it', () => {
  const word = fc.oneof(hostile, fc.constantFrom(undefined, '1', 'auth', 'token', 'tokn'));
  const prefix = fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/);
  fc.assert(
    fc.property(word, prefix, fc.constantFrom(tags, env), (typed, brand, answerTo) => {
      const answer = answerTo(typed, brand);

      expect(messageProblems(spoken(answer), layOut(answer.blocks, 'id'))).toEqual([]);
    }),
  );
});
