import { describe, expect, it } from 'vitest';
import { checked } from './check-support.ts';

const OF_NAMES = /^(is not a field|is a field of Kubernetes|is in the wrong place)/;

/** The findings about names of fields in a workload with this text below `spec:`. */
function namesIn(spec: string): string[] {
  return checked(`kind: workload\nname: web\nspec: ${spec}`)
    .findings.filter(({ what }) => OF_NAMES.test(what))
    .map(({ severity, path, fix }) => `${severity} ${path}: ${fix ?? ''}`);
}

const meant = (path: string, name: string) => `warning ${path}: write \`${name}\` if that is meant`;

describe('the name of a field', () => {
  it.each([
    ['{defaultOption: {}}', 'spec.defaultOption', 'defaultOptions'],
    ['{rolloutOption: {}}', 'spec.rolloutOption', 'rolloutOptions'],
    ['{containers: [{}, {portss: []}]}', 'spec.containers[1].portss', 'ports'],
    [
      '{containers: [{livenessProbe: {httpGet: {pathh: /}}}]}',
      'spec.containers[0].livenessProbe.httpGet.pathh',
      'path',
    ],
    [
      '{defaultOptions: {autoscaling: {keda: {triggers: [{metdata: {}}]}}}}',
      'spec.defaultOptions.autoscaling.keda.triggers[0].metdata',
      'metadata',
    ],
    ['{localOptions: [{suspended: true}]}', 'spec.localOptions[0].suspended', 'suspend'],
    ['{rolloutOptions: {maxSurge: 1}}', 'spec.rolloutOptions.maxSurge', 'maxSurgeReplicas'],
  ])('that is misspelt in %s is found', (spec, path, name) => {
    expect(namesIn(spec)).toEqual([meant(path, name)]);
  });

  it('that is like no known one is a warning, with everything below it', () => {
    const said = checked('spec: {nuisance: {level: {maxSurge: 1}}}').findings;

    expect(said).toEqual([
      {
        severity: 'warning',
        path: 'spec.nuisance',
        line: 1,
        what: 'is not a field that is known here',
        fix: 'leave it out, unless it is newer than what is known here: the platform takes only what it knows',
      },
    ]);
  });

  it.each([
    ['{localOptions: [{minScale: 1}]}', 'under `spec.localOptions.autoscaling`'],
    [
      '{firewallConfig: {external: {inboundAllowType: none}}}',
      'under `spec.firewallConfig.internal`',
    ],
    [
      '{rolloutOptions: {enabled: true}}',
      'under `spec.defaultOptions.multiZone`, `spec.loadBalancer.direct` or `spec.loadBalancer.geoLocation`',
    ],
  ])('that is known and in the wrong place is reported with its own: %s', (spec, place) => {
    const { findings } = checked(`spec: ${spec}`);

    expect(findings.filter(({ what }) => OF_NAMES.test(what))).toMatchObject([
      {
        severity: 'warning',
        what: `is in the wrong place: it belongs ${place}`,
        fix: 'move it there, or leave it out',
      },
    ]);
  });

  it('that is one letter off is not looked for elsewhere', () => {
    expect(namesIn('{loadBalancer: {direct: {port: []}}}')).toEqual([
      meant('spec.loadBalancer.direct.port', 'ports'),
    ]);
  });

  it('that is known of an export, or of local options alone, has no place that is reported', () => {
    expect(namesIn('{firewallConfig: {version: 2}, rolloutOptions: {location: a}}')).toEqual([
      expect.stringMatching(/^warning spec\.firewallConfig\.version: leave it out/),
      expect.stringMatching(/^warning spec\.rolloutOptions\.location: leave it out/),
    ]);
  });

  it('of Kubernetes is reported with the prefix of the brand', () => {
    const text = 'spec: {containers: [{env: [{valueFrom: {}}]}]}';

    expect(
      checked(text, 'acme')
        .findings.map(({ fix }) => fix)
        .join(),
    ).toContain('`acme://secret/NAME.KEY`');
  });

  it('that means something in JavaScript is unknown as any other', () => {
    expect(namesIn('{__proto__: {a: 1}, constructor: 1, defaultOptions: {toString: 1}}')).toEqual(
      ['__proto__', 'constructor', 'defaultOptions.toString'].map(
        (path) => expect.stringMatching(`^warning spec\\.${path}: leave it out`) as string,
      ),
    );
  });

  it.each([
    '{defaultOptions: {autoscaling: {keda: {triggers: [{metadata: {lagThreshhold: "5"}}]}}}}',
    '{containers: [{env: [{name: containrs, value: defaultOption}], args: [--imgae]}]}',
    '{loadBalancer: {geoLocation: {headers: {country: x-contry}}}}',
    '{firewallConfig: {external: {http: {inboundHeaderFilter: [{key: imgae}]}}}}',
    '{sidecar: {envoy: {http: [{nam: a}]}}, extras: {affinity: {nodeAffinty: {}}}}',
    '{vm: {cloudInit: {userDataBase64: a}}}',
    '{containers: [{readinessProbe: {httpGet: {httpHeaders: [{name: Hots, value: a}]}}}]}',
  ])('that people choose, or that is not published, is not one of ours: %s', (spec) => {
    expect(namesIn(spec)).toEqual([]);
  });
});

describe('fields are counted', () => {
  const fieldsIn = (spec: string) => checked(`spec: ${spec}`).fields;

  it('the switch for debugging being understood as a switch alone', () => {
    for (const odd of ['verbose', '1', '{level: 2}', '']) {
      expect(fieldsIn(`{defaultOptions: {debug: ${odd}}}`).unchecked).toHaveLength(1);
    }
  });

  it('a list of plain values, and a part with free names, as one', () => {
    expect(
      fieldsIn(
        '{requestRetryPolicy: {retryOn: [a, b]}, containers: [{args: [a, b], env: [{name: A, value: b}]}], extras: {affinity: {a: {b: 1, c: 2}}}}',
      ),
    ).toEqual({
      total: 5,
      unchecked: ['spec.extras.affinity'],
    });
  });

  it('also empty ones, and those whose names are not known', () => {
    expect(
      fieldsIn('{containers: [], firewallConfig: {}, identityLink:, nuisance: {a: 1, b: [2]}}'),
    ).toEqual({
      total: 5,
      unchecked: ['spec.nuisance.a', 'spec.nuisance.b'],
    });
  });

  it('a value in the place of options as checked, since it is reported', () => {
    expect(fieldsIn('{rolloutOptions: fast, defaultOptions:}')).toEqual({
      total: 2,
      unchecked: [],
    });
  });

  it('none where there is nothing', () => {
    for (const none of ['', '{}']) expect(fieldsIn(none)).toEqual({ total: 0, unchecked: [] });
    expect(checked('tags: {a: b}').fields).toEqual({ total: 0, unchecked: [] });
    expect(fieldsIn('5')).toEqual({ total: 1, unchecked: [] });
  });
});
