import { describe, expect, it } from 'vitest';
import { checked, inSpec, said } from './check-support.ts';

const rollout = (line: string) => inSpec('spec.rolloutOptions', 'rolloutOptions:', `  ${line}`);
const retry = (...some: string[]) =>
  inSpec('spec.requestRetryPolicy', 'requestRetryPolicy:', ...some.map((line) => `  ${line}`));
const defaults = (...some: string[]) =>
  inSpec('spec.defaultOptions', 'defaultOptions:', ...some.map((line) => `  ${line}`));

describe('rolloutOptions', () => {
  it('minReadySeconds is a number of seconds, 0 or more', () => {
    expect(rollout('minReadySeconds: 10')).toEqual([]);
    expect(rollout('minReadySeconds: 0')).toEqual([]);
    expect(rollout('minReadySeconds: 1.5')).toEqual([]);
    expect(rollout('minReadySeconds: -1')).toEqual([
      'error is -1, but takes a number of seconds, 0 or more → write a number such as `30`',
    ]);
    expect(rollout('minReadySeconds: 10s')).toEqual([
      'error is "10s", but takes a number of seconds, 0 or more → write a number such as `30`',
    ]);
  });

  it('maxUnavailableReplicas is a number or a percentage', () => {
    for (const fit of ['0', '3', '25%', '"25%"', '1.5%', '12.5%', '99.9%']) {
      expect(rollout(`maxUnavailableReplicas: ${fit}`)).toEqual([]);
    }
    expect(rollout('maxUnavailableReplicas: -1')[0]).toMatch(/^error /);
    expect(rollout('maxUnavailableReplicas: half')[0]).toMatch(/^error /);
    expect(rollout('maxUnavailableReplicas: 25 %')).toEqual([
      'error is "25 %", but takes a number of replicas or a percentage, 0 or more → write `"25%"`',
    ]);
  });

  it('maxUnavailableReplicas of all replicas leaves none to serve', () => {
    expect(rollout('maxUnavailableReplicas: 100%')).toEqual([
      'note lets all replicas be away at once: for a while none may serve',
    ]);
  });

  it.each(['maxUnavailableReplicas', 'maxSurgeReplicas'])('%s of more than all is odd', (name) => {
    expect(rollout(`${name}: 100.5%`)).toEqual([
      'warning is "100.5%", which is more than all replicas together → write `"100%"` or less, or a number of replicas',
    ]);
  });

  it('maxSurgeReplicas is a number or a percentage, and none of a replica', () => {
    for (const fit of ['0', '3', '"2"', '50%', '100%']) {
      expect(rollout(`maxSurgeReplicas: ${fit}`)).toEqual([]);
    }
    expect(rollout('maxSurgeReplicas: 1.5')).toEqual([
      'warning is 1.5, which is not a whole number of replicas → write a whole number, or a percentage such as `"25%"`',
    ]);
  });

  it('with both of them 0 nothing can roll out', () => {
    const both = (surge: string, unavailable: string) =>
      inSpec(
        'spec.rolloutOptions',
        'rolloutOptions:',
        `  maxSurgeReplicas: ${surge}`,
        `  maxUnavailableReplicas: ${unavailable}`,
      );

    expect(both('0', '0%')).toEqual([
      'error is 0, as `maxUnavailableReplicas` is: no replica may be added and none may be away, so nothing can roll out → write `1` or more in one place',
    ]);
    expect(both('0', '1')).toEqual([]);
    expect(both('10%', '0')).toEqual([]);
    expect(rollout('maxSurgeReplicas: 0')).toEqual([]);
  });

  it('scalingPolicy is OrderedReady or Parallel', () => {
    expect(rollout('scalingPolicy: OrderedReady')).toEqual([]);
    expect(rollout('scalingPolicy: Parallel')).toEqual([]);
    expect(rollout('scalingPolicy: parallel')).toEqual([
      'error is "parallel", but takes OrderedReady or Parallel → write `Parallel`',
    ]);
  });

  it('terminationGracePeriodSeconds is a number of seconds, 0 or more', () => {
    expect(rollout('terminationGracePeriodSeconds: 90')).toEqual([]);
    expect(rollout('terminationGracePeriodSeconds: -90')[0]).toMatch(/^error /);
    expect(rollout('terminationGracePeriodSeconds: "90"')).toEqual([
      'note is the text "90", where a number is meant → leave the quotes out',
    ]);
  });

  it('terminationGracePeriodSeconds is at most 900 in public sources, and 3600 with a tag', () => {
    const grace = (seconds: number, ...tags: string[]) =>
      said(
        checked(
          `tags: {${tags.join(', ')}}\nspec: {rolloutOptions: {terminationGracePeriodSeconds: ${seconds}}}`,
        ).findings,
      );

    expect(grace(900)).toEqual([]);
    expect(grace(901)).toEqual([
      'warning is 901, and the platform allows up to 900 seconds → write `900` or less; with the tag `svc/relaxGracePeriodMax` it is up to 3600 seconds',
    ]);
    expect(grace(3_600, 'svc/relaxGracePeriodMax: "true"')).toEqual([]);
    expect(grace(3_601, 'svc/relaxGracePeriodMax: "true"')).toEqual([
      'warning is 3601, and the platform allows up to 3600 seconds → write `3600` or less',
    ]);
  });
});

describe('a termination grace period of an hour', () => {
  const findings = (tag: string) =>
    checked(`tags: {${tag}}\nspec: {rolloutOptions: {terminationGracePeriodSeconds: 3600}}`)
      .findings;
  const reported = (tag: string) => findings(tag).map(({ what }) => what);

  it.each(['true', '"true"', 'yes', '1', '"{{ .Values.relaxed }}"', '$RELAXED'])(
    'is right with the tag that relaxes it, or may: %s',
    (value) => {
      expect(reported(`svc/relaxGracePeriodMax: ${value}`)).toEqual([]);
    },
  );

  it.each(['"false"', 'false', '0', 'no', 'off', '""', 'null'])(
    'is too long where the tag says no: %s',
    (value) => {
      expect(reported(`svc/relaxGracePeriodMax: ${value}`)).toContain(
        'is 3600, and the platform allows up to 900 seconds',
      );
    },
  );
});

describe('requestRetryPolicy', () => {
  it('attempts is a whole number', () => {
    expect(retry('attempts: 0')).toEqual([]);
    for (const unfit of ['-1', '1.5', 'twice', '.inf', '.nan']) {
      expect(retry(`attempts: ${unfit}`, 'retryOn: [unavailable]')).toEqual([
        expect.stringMatching(
          /^error .*but takes a whole number, 0 or more.* → write a whole number such as `2`$/,
        ) as string,
      ]);
    }
  });

  it('retryOn is a list of texts: a status code needs its quotes', () => {
    expect(retry('attempts: 2', 'retryOn: [connect-failure, "503", gateway-error]')).toEqual([]);
    expect(retry('retryOn:', '  - 503')).toEqual([
      'error is 503, but takes text → put it in quotes: `"503"`',
    ]);
    expect(retry('retryOn: unavailable')[0]).toMatch(/^error /);
    expect(retry('retryOn: [[unavailable]]')[0]).toMatch(/^error /);
    expect(retry('retryOn:', '  - connect-failures')).toEqual([
      'note is "connect-failures", which looks like the condition connect-failure → write `connect-failure` if that is meant',
    ]);
  });
});

describe('defaultOptions', () => {
  it('suspend true stops serving at once, false has no finding, anything else is wrong', () => {
    expect(defaults('suspend: false')).toEqual([]);
    expect(defaults('suspend: true')).toEqual([
      'note stops serving immediately, the same as a minimum and maximum scale of 0',
    ]);
    expect(defaults('suspend: "true"')).toEqual([
      'error is the text "true", but takes true or false → write `true`, without quotes',
    ]);
    expect(defaults('suspend: no')[0]).toMatch(/ → write `false`, without quotes$/);
    expect(defaults('suspend: 1')[0]).toMatch(/ → write `true` or `false`, without quotes$/);
  });

  it('timeoutSeconds is a whole number from 1 to 600, and the fix for more is the tag', () => {
    for (const fit of ['1', '600']) expect(defaults(`timeoutSeconds: ${fit}`)).toEqual([]);
    for (const unfit of ['0', '-5', '1.5', '5s', '[5]']) {
      expect(defaults(`timeoutSeconds: ${unfit}`)[0]).toMatch(/^error /);
    }
    expect(defaults('timeoutSeconds: 601')).toEqual([
      'error is 601, but takes 1 to 600 seconds, as a whole number → write `600` or less, or use the tag `svc/timeoutSecondsOverride` for up to 3600 seconds',
    ]);
    expect(defaults('timeoutSeconds: "30"')).toEqual([
      'note is the text "30", where a number is meant → leave the quotes out',
    ]);
    expect(defaults('timeoutSeconds:')).toEqual([
      'warning is empty, but takes 1 to 600 seconds, as a whole number → fill it in, or leave it out',
    ]);
  });

  it('timeoutSeconds may be longer by type: sources disagree, and a cron workload ignores it', () => {
    const timeout = (seconds: number, type?: string) =>
      inSpec(
        'spec.defaultOptions',
        ...(type === undefined ? [] : [`type: ${type}`]),
        'defaultOptions:',
        `  timeoutSeconds: ${seconds}`,
      ).map((one) => one.replace(/ → .*/, ''));
    const OPEN = 'and may be refused above 600 seconds';

    for (const type of ['serverless', undefined]) {
      expect(timeout(600, type)).toEqual([]);
      expect(timeout(601, type)).toEqual([
        'error is 601, but takes 1 to 600 seconds, as a whole number',
      ]);
    }
    for (const type of ['standard', 'stateful', 'vm']) {
      expect(timeout(600, type)).toEqual([]);
      expect(timeout(3_600, type)).toEqual([`warning is 3600, ${OPEN}`]);
      expect(timeout(3_601, type)).toEqual([
        'error is 3601, but takes 1 to 3600 seconds, as a whole number',
      ]);
    }
    expect(timeout(600, 'cron')).toEqual([]);
    expect(timeout(3_600, 'cron')).toEqual(['note is 3600, and a cron workload ignores it']);
    expect(timeout(3_601, 'cron')).toEqual([
      'error is 3601, but takes 1 to 3600 seconds, as a whole number',
    ]);
    expect(timeout(0, 'cron')[0]).toMatch(/^error is 0/);
  });

  it('multiZone has one option', () => {
    expect(defaults('multiZone:', '  enabled: false')).toEqual([]);
    expect(defaults('multiZone:', '  enabled: true')).toEqual([]);
    expect(defaults('multiZone: true')).toEqual([
      'error is true, but takes options with values → write `enabled: true` below it',
    ]);
  });

  it('multi-zone with a dedicated load balancer wants zones of that, too', () => {
    const documents = (balancer: string, zones: string): string[] => {
      const text = `kind: gvc\nname: shop\nspec:\n  loadBalancer: ${balancer}\n---\nname: web\nspec:\n  defaultOptions:\n    multiZone: {enabled: ${zones}}`;
      return checked(text)
        .findings.filter(({ severity }) => severity === 'warning')
        .map(({ line, path, fix }) => `${line} ${path}: ${fix ?? ''}`);
    };

    expect(documents('{dedicated: true}', 'true')).toEqual([
      '4 spec.loadBalancer: enable multi-zone in the load balancer settings of the GVC, too',
    ]);
    expect(documents('{dedicated: true, multiZone: {enabled: true}}', 'true')).toEqual([]);
    expect(documents('{dedicated: false}', 'true')).toEqual([]);
    expect(documents('{dedicated: true}', 'false')).toEqual([]);
  });

  it('debug has no documented type, so any value is accepted', () => {
    for (const any of ['true', 'verbose', '"true"', '1', '', '[a]', '{level: 2}']) {
      expect(defaults(`debug: ${any}`)).toEqual([]);
    }
  });
});

describe('the fields that decide about others', () => {
  it('type is one of five', () => {
    for (const fit of ['serverless', 'standard', 'stateful', 'cron', 'vm']) {
      expect(inSpec('spec.type', `type: ${fit}`)).toEqual([]);
    }
    expect(inSpec('spec.type', 'type: Standard')).toEqual([
      'error is "Standard", but takes serverless, standard, stateful, cron or vm → write `standard`',
    ]);
  });

  it('a direct load balancer is on or off', () => {
    const direct = (enabled: string) =>
      inSpec('spec.loadBalancer', 'loadBalancer:', `  direct: {enabled: ${enabled}}`);

    expect([...direct('true'), ...direct('false')]).toEqual([]);
    expect(direct('"yes"')[0]).toMatch(/^error /);
  });
});

it('the groups of the options are mappings, and may be empty', () => {
  expect(inSpec('spec', 'rolloutOptions:')).toEqual([]);
  expect(inSpec('spec', 'defaultOptions: fast')[0]).toMatch(/^error /);
});
