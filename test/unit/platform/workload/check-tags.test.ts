import { describe, expect, it } from 'vitest';
import { checked, inTags } from './check-support.ts';

describe('special tags', () => {
  it('are text, so that true and "true" are the same', () => {
    expect(inTags('svc/largeDisk: true', 'svc/tracingDisabled: "true"')).toEqual([]);
    expect(inTags('svc/largeDisk: yes')).toEqual([
      'error is "yes", but takes true → write `true`, or remove the tag',
    ]);
    expect(inTags('svc/largeDisk: false')).toEqual([
      'warning is false, but true is its only published value → remove the tag to be without it',
    ]);
    expect(inTags('svc/largeDisk: TRUE', 'svc/tracingDisabled: True')).toEqual([]);
    expect(inTags('svc/largeDisk: "TRUE"')[0]).toMatch(/ → write `true`, or remove the tag$/);
    expect(inTags('svc/largeDisk:')[0]).toMatch(/^\w+ is empty(?: →|$)/);
    expect(inTags('svc/largeDisk: [true]')[0]).toMatch(/^\w+ is a list, but takes text(?: →|$)/);
  });

  it('have the prefix of the brand', () => {
    const text = 'tags:\n  acme/largeDisk: no\n  svc/largeDisk: no';

    expect(
      checked(text, 'acme').findings.map(({ severity, path }) => `${severity} ${path}`),
    ).toEqual(['error tags["acme/largeDisk"]', 'note tags["svc/largeDisk"]']);
  });

  it('that are deprecated name what replaces them', () => {
    expect(inTags('svc/multiZone: true')).toEqual([
      'warning is deprecated → use `spec.defaultOptions.multiZone` in its place',
    ]);
    expect(inTags('svc/protocol: grpc')[0]).toMatch(/ → use `ports\[\]\.protocol` in its place$/);
  });

  it('that are deprecated agree with the option beside them that replaces them, or are wrong', () => {
    const zones = (tag: string, option: string) =>
      inTags(
        `svc/multiZone: ${tag}`,
        `other: x\nspec: {defaultOptions: {multiZone: {enabled: ${option}}}}`,
      );
    const ports = (...protocols: string[]) =>
      checked(
        `tags: {svc/protocol: grpc}\nspec:\n  containers:\n    - ports: [${protocols.map((one) => `{protocol: ${one}}`).join(', ')}]`,
      ).findings.filter(({ path }) => path.startsWith('tags'));

    expect(zones('true', 'true')[0]).toEqual(
      'warning is deprecated, and `spec.defaultOptions.multiZone` says the same → remove the tag',
    );
    expect(zones('true', 'false')).toEqual([
      'error is "true", but `spec.defaultOptions.multiZone`, which replaces it, is false → remove the tag',
    ]);
    expect(ports('grpc', 'http').map(({ severity }) => severity)).toEqual(['warning']);
    expect(ports('http', 'tcp').map(({ severity }) => severity)).toEqual(['error']);
  });

  it('of longer requests take up to 3600 seconds, and are not for what the option takes', () => {
    expect(inTags('svc/timeoutSecondsOverride: 3600')).toEqual([]);
    expect(inTags('svc/timeoutSecondsOverride: "601"')).toEqual([]);
    for (const unfit of ['3601', '0', '-5', '0.5']) {
      expect(inTags(`svc/timeoutSecondsOverride: ${unfit}`)).toEqual([
        `error is ${unfit}, but takes whole seconds, 1 to 3600 → write a number up to 3600`,
      ]);
    }
    expect(inTags('svc/timeoutSecondsOverride: 600')).toEqual([
      'warning is 600, and up to 600 seconds there is an option for it → use `spec.defaultOptions.timeoutSeconds` in place of `svc/timeoutSecondsOverride`',
    ]);
  });

  it('that are for some clusters only say so', () => {
    expect(inTags('svc/k8sClusterRole: reader')[0]).toMatch(
      /^warning .*is only for BYOK clusters.* → remove the tag everywhere else$/,
    );
    expect(inTags('svc/ignore: true')[0]).toContain('internal testing');
  });

  it.each([
    ['direct: {enabled: true}', 0],
    ['direct: {enabled: false}', 2],
    ['direct: {}', 2],
    ['dedicated: true', 2],
  ])(
    'that take traffic out of the mesh are for a load balancer of %s, too',
    (balancer, warnings) => {
      const text = `tags: {svc/disableServiceMesh: true, svc/disableServiceMeshOutboundCIDR: 10.0.0.0/8, svc/k8sClusterRole: reader}\nspec: {loadBalancer: {${balancer}}}`;
      const paths = checked(text).findings.map(({ path }) => path);

      expect(paths.filter((path) => path.includes('ServiceMesh'))).toHaveLength(warnings);
      expect(paths).toContain('tags["svc/k8sClusterRole"]');
    },
  );

  it('of a path start with a slash', () => {
    const path = (value: string) =>
      inTags(
        'svc/externalAuthAddress: auth',
        'svc/externalAuthFailureAllow: false',
        `svc/externalAuthPathPrefix: ${value}`,
      );

    expect(path('check/it')).toEqual([
      'warning is "check/it", and a path starts with a slash → write `/check/it`',
    ]);
    expect(path('/check')).toEqual([]);
  });

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.1/31', '10.0.0.0/31'],
    ['255.255.255.255/0', '0.0.0.0/0'],
    ['fd00:1:2::3/32', 'fd00:1::/32'],
    ['::ffff:10.1.2.3/120', '::ffff:a01:200/120'],
    ['10.0.0.1/32', undefined],
    ['10.0.0.0/31', undefined],
    ['::/0', undefined],
    ['fe80::1%eth0/64', undefined],
  ])('of a range have its first address: %s', (range, whole) => {
    const [first, ...others] = inTags(`svc/disableServiceMeshOutboundCIDR: "${range}"`);

    expect([first, ...others].map((one) => one?.split(' ')[0])).toEqual(
      whole === undefined ? ['warning'] : ['note', 'warning'],
    );
    expect(first?.split(' → ')[1]).toContain(
      whole === undefined ? 'remove' : `write \`${whole}\` if all of it is meant`,
    );
  });

  it.each([
    [
      'svc/disableServiceMeshInboundPort',
      ['1', '"65535"', '"25,465, 587"'],
      ['0', '65536', '8080.5', 'http', '""', '"25,"', '"25,0"'],
    ],
    ['svc/disableServiceMeshOutboundPort', ['9092', '9092,9093'], ['-1', '1e3']],
    ['svc/externalAuthPort', ['443'], ['"443,8443"']],
    ['svc/protocol', ['http', 'http2', 'grpc', 'tcp'], ['HTTP', 'udp']],
    ['svc/externalAuthTimeout', ['1s', '500ms', '1m30s', '0.5s'], ['1', 's', '1 s', '1sec']],
    ['svc/externalAuthScheme', ['https', 'http'], ['tls']],
    ['svc/externalAuthIncludePeerCert', ['true', 'false'], ['yes', '1']],
    ['svc/externalAuthPathPrefix', ['/check'], ['""', '"  "']],
    [
      'svc/disableServiceMeshOutboundCIDR',
      ['10.0.0.0/8', '"fd00::/8"', '"10.0.0.0/8, fd00::/8"'],
      ['"10.0.0.0/8,mesh"', '10.0.0.0', '10.0.0.0/33', '300.0.0.0/8', '10.0.0.0/8/8', 'mesh'],
    ],
    [
      'svc/externalAuthAddress',
      ['auth', 'auth.example.com', '10.0.0.1', '"fd00::1"', 'a_b.example.com.'],
      ['https://auth.example.com', 'auth:443', 'a b', '-a.example.com', '10.0.0.256', 'a..b'],
    ],
  ])('%s takes the listed values', (name, fit, unfit) => {
    const errors = (value: string) =>
      inTags('svc/externalAuthAddress: auth', `${name}: ${value}`).filter((one) =>
        one.startsWith('error '),
      );

    for (const value of fit) expect([value, errors(value)]).toEqual([value, []]);
    for (const value of unfit) expect([value, errors(value).length]).toEqual([value, 1]);
  });
});

describe('external authorization and rate limiting', () => {
  it('need an address as soon as one of their tags is there', () => {
    expect(inTags('svc/externalAuthPort: 8443', 'svc/externalAuthScheme: http')).toEqual([
      'error is a tag of external authorization, for which `svc/externalAuthAddress` is required and missing → add `svc/externalAuthAddress` with a hostname or an IP address, or remove the tags of external authorization',
    ]);
    expect(inTags('svc/rateLimitDomain: web')[0]).toContain('`svc/rateLimitAddress` is required');
  });

  it('of rate limiting limit nothing by default', () => {
    expect(inTags('svc/rateLimitAddress: limiter')).toEqual([
      'warning is a tag of rate limiting, for which `svc/rateLimitDescriptors` is missing: its default, `authority`, limits nothing → add `svc/rateLimitDescriptors` with a value such as `authorization`, `host` or `path`',
    ]);
    expect(inTags('svc/rateLimitAddress: limiter', 'svc/rateLimitDescriptors: authority')).toEqual([
      'warning is the default, which limits nothing → write a value such as `authorization`, `host` or `path`',
    ]);
    expect(inTags('svc/rateLimitAddress: limiter', 'svc/rateLimitDescriptors: host')).toEqual([]);
  });

  it('lets requests pass while the service fails, unless that is stated', () => {
    expect(inTags('svc/externalAuthAddress: auth')).toEqual([
      'note is a tag of external authorization: requests pass while its service fails, because `svc/externalAuthFailureAllow` is true by default → set `svc/externalAuthFailureAllow` to `"false"` where they should not',
    ]);
    expect(inTags('svc/externalAuthAddress: auth', 'svc/externalAuthFailureAllow: false')).toEqual(
      [],
    );
  });
});

it.each([
  [
    'containers: [{name: web, image: "a:1", ephemeralStorage: 5Gi}]',
    'spec.containers[0].ephemeralStorage',
  ],
  ['ephemeral-disk: 5Gi', 'spec.ephemeral-disk'],
])(
  'ephemeral storage is no field: what a replica may use follows from its cores: %s',
  (spec, at) => {
    const { findings, fields } = checked(`spec: {${spec}}`);

    expect(findings.filter(({ severity }) => severity === 'warning')).toMatchObject([
      {
        what: 'is not a field that is known here: a replica may use 1 GB of ephemeral storage per core, and 1 GB at least; one that uses more is replaced',
        fix: 'leave it out; for more raise `cpu`, add the tag `svc/largeDisk`, or use a volume',
      },
    ]);
    expect(fields.unchecked).toEqual([at]);
  },
);
