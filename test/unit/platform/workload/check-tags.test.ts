import { describe, expect, it } from 'vitest';
import { checked, inSpec, inTags } from './check-support.ts';

describe('special tags', () => {
  it('are text, so that true and "true" are the same', () => {
    expect(inTags('svc/largeDisk: true', 'svc/tracingDisabled: "true"')).toEqual([]);
    expect(inTags('svc/largeDisk: yes')).toEqual([
      ['error', 'is "yes", but takes true', 'write true, or leave the tag out'],
    ]);
    expect(inTags('svc/largeDisk: false')).toEqual([
      ['warning', 'is false, and nothing but true is listed for it', 'leave the tag out'],
    ]);
    expect(inTags('svc/largeDisk:')[0]?.[1]).toBe('is empty');
    expect(inTags('svc/largeDisk: [true]')[0]?.[1]).toBe('is a list, but takes text');
  });

  it('that are not known are told with the nearest name; those of others are nobody’s business', () => {
    expect(inTags('svc/largedisk: true')).toEqual([
      ['warning', 'is no special tag that is known', 'write svc/largeDisk'],
    ]);
    expect(inTags('svc/colour: red')[0]?.[2]).toContain('/workload tags');
    expect(inTags('team: shop', 'other/largedisk: maybe', '7: x')).toEqual([]);
  });

  it('have the prefix of the brand', () => {
    const text = 'tags:\n  acme/largeDisk: no\n  svc/largeDisk: no';

    expect(checked(text, 'acme').findings.map(({ path }) => path)).toEqual([
      'tags["acme/largeDisk"]',
    ]);
  });

  it('that are deprecated name what replaces them', () => {
    expect(inTags('svc/multiZone: true')).toEqual([
      ['warning', 'is deprecated', 'use spec.defaultOptions.multiZone in its place'],
    ]);
    expect(inTags('svc/protocol: grpc')[0]?.[2]).toBe('use ports[].protocol in its place');
  });

  it('that are deprecated and stand beside what replaces them agree with it, or are wrong', () => {
    const zones = (tag: string, option: string) =>
      inTags(
        `svc/multiZone: ${tag}`,
        `other: x\nspec: {defaultOptions: {multiZone: {enabled: ${option}}}}`,
      );
    const ports = (...protocols: string[]) =>
      checked(
        `tags: {svc/protocol: grpc}\nspec:\n  containers:\n    - ports: [${protocols.map((one) => `{protocol: ${one}}`).join(', ')}]`,
      ).findings.filter(({ path }) => path.startsWith('tags'));

    expect(zones('true', 'true')[0]).toEqual([
      'warning',
      'is deprecated, and spec.defaultOptions.multiZone says the same',
      'remove the tag',
    ]);
    expect(zones('true', 'false')).toEqual([
      [
        'error',
        'is "true", but spec.defaultOptions.multiZone, which replaces it, is false',
        'remove the tag',
      ],
    ]);
    expect(ports('grpc', 'http').map(({ severity }) => severity)).toEqual(['warning']);
    expect(ports('http', 'tcp').map(({ severity }) => severity)).toEqual(['error']);
  });

  it('of longer requests take up to 3600 seconds, and are not for what the option takes', () => {
    expect(inTags('svc/timeoutSecondsOverride: 3600')).toEqual([]);
    expect(inTags('svc/timeoutSecondsOverride: "601"')).toEqual([]);
    expect(inTags('svc/timeoutSecondsOverride: 3601')).toEqual([
      ['error', 'is 3601, but takes whole seconds, at most 3600', 'write a number from 1 to 3600'],
    ]);
    expect(inTags('svc/timeoutSecondsOverride: 600')).toEqual([
      [
        'warning',
        'is 600, which the option for it takes, too',
        'use spec.defaultOptions.timeoutSeconds in place of svc/timeoutSecondsOverride',
      ],
    ]);
  });

  it('that are for some clusters only say so', () => {
    expect(inTags('svc/k8sClusterRole: reader')[0]).toEqual([
      'warning',
      expect.stringContaining('is only for BYOK clusters') as string,
      'leave it out everywhere else',
    ]);
    expect(inTags('svc/ignore: true')[0]?.[1]).toContain('internal testing');
  });

  it.each([
    ['svc/disableServiceMeshInboundPort', ['1', '"65535"'], ['0', '65536', '8080.5', 'http', '""']],
    ['svc/disableServiceMeshOutboundPort', ['9092'], ['-1', '1e3']],
    ['svc/protocol', ['http', 'http2', 'grpc', 'tcp'], ['HTTP', 'udp']],
    ['svc/externalAuthTimeout', ['1s', '500ms', '1m30s', '0.5s'], ['1', 's', '1 s', '1sec']],
    ['svc/externalAuthScheme', ['https', 'http'], ['tls']],
    ['svc/externalAuthIncludePeerCert', ['true', 'false'], ['yes', '1']],
    ['svc/externalAuthPathPrefix', ['/check'], ['""', '"  "']],
    [
      'svc/disableServiceMeshOutboundCIDR',
      ['10.0.0.0/8', '"fd00::/8"'],
      ['10.0.0.0', '10.0.0.0/33', '300.0.0.0/8', '10.0.0.0/8/8', 'mesh'],
    ],
    [
      'svc/externalAuthAddress',
      ['auth', 'auth.example.com', '10.0.0.1', '"fd00::1"', 'a_b.example.com.'],
      ['https://auth.example.com', 'auth:443', 'a b', '-a.example.com', '10.0.0.256', 'a..b'],
    ],
  ])('%s takes what is listed for it', (name, fit, unfit) => {
    const errors = (value: string) =>
      inTags('svc/externalAuthAddress: auth', `${name}: ${value}`).filter(
        ([severity]) => severity === 'error',
      );

    for (const value of fit) expect([value, errors(value)]).toEqual([value, []]);
    for (const value of unfit) expect([value, errors(value).length]).toEqual([value, 1]);
  });
});

describe('external authorization and rate limiting', () => {
  it('need an address as soon as one of their tags is there', () => {
    expect(inTags('svc/externalAuthPort: 8443', 'svc/externalAuthScheme: http')).toEqual([
      [
        'error',
        'is a tag of external authorization, which needs svc/externalAuthAddress',
        'add svc/externalAuthAddress with a hostname or an IP address, or remove the tags of external authorization',
      ],
    ]);
    expect(inTags('svc/rateLimitDomain: web')[0]?.[1]).toContain('needs svc/rateLimitAddress');
    expect(inTags('svc/rateLimitAddress: limiter')).toEqual([]);
  });

  it('lets requests pass while the service fails, unless that is stated', () => {
    expect(inTags('svc/externalAuthAddress: auth')).toEqual([
      [
        'note',
        'lets requests pass while the service fails, because the default allows it',
        'set svc/externalAuthFailureAllow to "false" where that is not meant',
      ],
    ]);
    expect(inTags('svc/externalAuthAddress: auth', 'svc/externalAuthFailureAllow: false')).toEqual(
      [],
    );
  });
});

describe('ephemeral storage', () => {
  const storage = (...containers: string[]) =>
    inSpec('spec.containers', 'containers:', ...containers.map((one) => `  - {${one}}`));
  const GIVES = 'of ephemeral storage (1 GB per core, 1 GB at least, and there';
  const REPLACED = 'a replica that exceeds it is replaced';

  it('is 1 GB for a replica of up to one core', () => {
    expect(storage('cpu: 500m')).toEqual([
      ['note', `gives a replica 1 GB ${GIVES} are 0.5 cores); ${REPLACED}`, ''],
    ]);
    expect(storage('cpu: 1')[0]?.[1]).toContain('1 GB of');
  });

  it('is 1 GB for each core above one, of all containers together', () => {
    expect(storage('cpu: 1500m')[0]?.[1]).toContain('gives a replica 1.5 GB of');
    expect(storage('cpu: 1.5', 'cpu: "2"', 'cpu: 250m')[0]?.[1]).toContain('3.75 GB of');
    expect(storage('cpu: 2', 'name: b')[0]?.[1]).toContain('at least 2 GB of');
    expect(storage('cpu: lots')[0]?.[1]).toContain('at least 1 GB of');
  });

  it('that is exceeded has the replica replaced, so more than the allowance is a warning', () => {
    expect(storage('cpu: 1500m, ephemeralStorage: 2Gi')).toEqual([
      [
        'warning',
        `adds up to 2 GB of ephemeral storage in a replica, but 1.5 cores allow 1.5 GB: ${REPLACED}`,
        'ask for 2 cores, use the tag svc/largeDisk, or a volume',
      ],
    ]);
    expect(storage('cpu: 2, ephemeralStorage: 2Gi')[0]?.[0]).toBe('note');
    expect(
      storage(
        'cpu: 1, resources: {limits: {ephemeral-storage: 600Mi}}',
        'cpu: 0, ephemeral-storage: 600M',
      )[0]?.[0],
    ).toBe('warning');
    // A container that does not state its cpu may have as much as that takes.
    expect(storage('cpu: 1, ephemeralStorage: 5Gi', 'name: b').map(([kind]) => kind)).toEqual([
      'note',
    ]);
    expect(storage('cpu: 1, ephemeralStorage: 5000')[0]?.[0]).toBe('note');
  });

  it('is not spoken of with a large disk', () => {
    const text =
      'tags: {svc/largeDisk: true}\nspec: {containers: [{cpu: 1, ephemeralStorage: 9Gi}]}';

    expect(checked(text).findings).toEqual([]);
  });
});
