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

  it.each([
    [
      'svc/disableServiceMeshInboundPort',
      ['1', '"65535"', '"25,465, 587"'],
      ['0', '65536', '8080.5', 'http', '""', '"25,"', '"25,0"'],
    ],
    ['svc/disableServiceMeshOutboundPort', ['9092', '9092,9093'], ['-1', '1e3']],
    ['svc/externalAuthPort', ['443'], ['"443,8443"']],
    ['svc/timeoutSecondsOverride', ['3600', '"601"'], ['3601', '0', '-5', '0.5']],
    ['svc/protocol', ['http', 'http2', 'grpc', 'tcp'], ['HTTP', 'udp']],
    ['svc/externalAuthTimeout', ['1s', '500ms', '1m30s', '0.5s'], ['1', 's', '1 s', '1sec']],
    ['svc/externalAuthScheme', ['https', 'http'], ['tls']],
    ['svc/externalAuthIncludePeerCert', ['true', 'false'], ['yes', '1']],
    ['svc/externalAuthPathPrefix', ['/check'], ['""', '"  "']],
    [
      'svc/disableServiceMeshOutboundCIDR',
      ['10.0.0.0/8', '"fd00::/8"', '"10.0.0.0/8, fd00::/8"', '10.1.2.3/8'],
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

describe('tags below the prefix', () => {
  const UNKNOWN = 'is not a special tag that is known here';

  it('that are not known are a remark, and those of others are no one’s business', () => {
    expect(inTags('svc/colour: red', 'svc/protectet-by: ops', 'svc/: x')).toEqual([
      `note ${UNKNOWN}`,
      `note ${UNKNOWN}`,
      `note ${UNKNOWN}`,
    ]);
    expect(inTags('team: shop', 'other/colour: maybe', 'other/large: x', '7: x')).toEqual([]);
  });

  it.each([
    ['largedisk', 'largeDisk', 'its case'],
    ['larggeDisk', 'largeDisk', 'a letter too many'],
    ['largDisk', 'largeDisk', 'a letter too few'],
    ['larjeDisk', 'largeDisk', 'another letter'],
    ['lagreDisk', 'largeDisk', 'two letters swapped'],
    ['protectd', 'protected', 'a tag that charts use'],
  ])('that are one letter off name the one that is likely meant: svc/%s', (name, meant) => {
    expect(inTags(`svc/${name}: true`)).toEqual([
      `note ${UNKNOWN} → write \`svc/${meant}\` if that is meant`,
    ]);
  });

  it.each(['lagreDisks', 'largDsik', 'protocl', 'protocols', 'multizone', 'largeDisk2x'])(
    'that are further off, or near a deprecated one, name none: svc/%s',
    (name) => {
      expect(inTags(`svc/${name}: true`)).toEqual([`note ${UNKNOWN}`]);
    },
  );

  it('that protect from deletion, show a chart’s configuration or relax a limit are known', () => {
    expect(
      inTags(
        'svc/protected: "true"',
        'svc/checksum: 0a1b2c',
        'svc/relaxMemoryToCpuRatio: yes',
        'svc/relaxGracePeriodMax: 1',
      ),
    ).toEqual([]);
    expect(inTags('svc/protected: on')[0]).toMatch(/^error /);
  });

  it.each(['deployTimestamp', 'aws/region', 'gcp-project', 'tls'])(
    'that tools write are no matter: svc/%s',
    (name) => {
      expect(inTags(`svc/${name}: anything`)).toEqual([]);
    },
  );

  it.each([
    ['sessionCookie', 'a GVC'],
    ['passthruAnnotation:example.com/a', 'a GVC'],
    ['console.tagColumns', 'an org'],
  ])('that other kinds have do nothing here: svc/%s is one of %s', (name, kind) => {
    expect(inTags(`"svc/${name}": x`)).toEqual([
      `warning is a tag of ${kind}, and does nothing on a workload → remove it here, or set it on ${kind} if that is meant`,
    ]);
  });

  it.each([
    ['cpln/protocol', 'use `ports[].protocol`'],
    ['SVC/multizone', 'use `spec.defaultOptions.multiZone`'],
    ['svc-old/rateLimitPort', 'write `svc/rateLimitPort`'],
  ])('that are special and have another prefix, as %s, may be meant', (name, meant) => {
    expect(inTags(`${name}: maybe`)).toEqual([
      `note has the name of a special tag, and another prefix than \`svc/\` → ${meant} if that is meant`,
    ]);
  });

  it('that are mistyped by the thousand are all reported', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `svc/${at}gedisk: ${at}`);

    const said = inTags(...names, 'svc/colour: red', 'svc/largDisk: true');

    expect(said).toHaveLength(3_002);
    expect(said.slice(-2)).toEqual([
      `note ${UNKNOWN}`,
      `note ${UNKNOWN} → write \`svc/largeDisk\` if that is meant`,
    ]);
  });
});
