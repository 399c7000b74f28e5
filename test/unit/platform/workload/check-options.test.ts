import { describe, expect, it } from 'vitest';
import { checked, inSpec } from './check-support.ts';

/** The severities of the findings below the last name of a path, with this value there. */
function severities(path: string, value: string, ...beside: readonly string[]): string[] {
  const names = path.split('.');
  const lines = names.map((name, at) => `${' '.repeat(2 * at)}${name}:`);
  lines[lines.length - 1] += ` ${value}`;
  return inSpec(`spec.${path}`, ...beside, ...lines).map((one) => one.split(' ')[0] ?? '');
}

describe('the options of a workload', () => {
  it.each<[path: string, fit: readonly string[], unfit: readonly string[]]>([
    ['rolloutOptions.minReadySeconds', ['10', '0', '1.5'], ['-1', '10s']],
    [
      'rolloutOptions.maxUnavailableReplicas',
      ['0', '3', '25%', '"25%"', '1.5%', '99.9%'],
      ['-1', 'half', '25 %'],
    ],
    ['rolloutOptions.maxSurgeReplicas', ['0', '3', '"2"', '50%', '100%'], ['-1', 'half']],
    ['rolloutOptions.scalingPolicy', ['OrderedReady', 'Parallel'], ['parallel']],
    ['rolloutOptions.terminationGracePeriodSeconds', ['90', '900'], ['-90']],
    ['requestRetryPolicy.attempts', ['0', '2'], ['-1', '1.5', 'twice', '.inf', '.nan']],
    [
      'requestRetryPolicy.retryOn',
      ['[connect-failure, "503", gateway-error]'],
      ['[503]', 'unavailable', '[[unavailable]]'],
    ],
    ['defaultOptions.suspend', ['false'], ['"true"', 'no', '1']],
    ['defaultOptions.timeoutSeconds', ['1', '600'], ['0', '-5', '1.5', '5s', '[5]', '601']],
    ['defaultOptions.multiZone', ['{enabled: false}', '{enabled: true}', '{}'], ['true']],
    // Its type is not documented.
    ['defaultOptions.debug', ['true', 'verbose', '1', '', '[a]', '{level: 2}'], []],
    ['type', ['serverless', 'standard', 'stateful', 'cron', 'vm'], ['Standard']],
    ['loadBalancer.direct.enabled', ['true', 'false'], ['"yes"']],
    ['rolloutOptions', ['', '{}'], ['fast']],
  ])('an option takes its own values and no others: %s', (path, fit, unfit) => {
    for (const value of fit) expect([value, severities(path, value)]).toEqual([value, []]);
    for (const value of unfit) expect([value, severities(path, value)]).toEqual([value, ['error']]);
  });

  it.each([
    ['rolloutOptions.maxUnavailableReplicas', '100%', 'note'],
    ['rolloutOptions.maxUnavailableReplicas', '100.5%', 'warning'],
    ['rolloutOptions.maxSurgeReplicas', '100.5%', 'warning'],
    ['rolloutOptions.maxSurgeReplicas', '1.5', 'warning'],
    ['rolloutOptions.terminationGracePeriodSeconds', '"90"', 'note'],
    ['rolloutOptions.terminationGracePeriodSeconds', '901', 'warning'],
    ['requestRetryPolicy.retryOn', '[connect-failures]', 'note'],
    ['requestRetryPolicy.retryOn', '[Connect_Failure]', 'note'],
    ['requestRetryPolicy.retryOn', '[disconnected]', undefined],
    ['defaultOptions.suspend', 'true', 'note'],
    ['defaultOptions.timeoutSeconds', '"30"', 'note'],
    ['defaultOptions.timeoutSeconds', '', 'warning'],
  ])('%s takes %s with a remark: %s', (path, value, severity) => {
    expect(severities(path, value)).toEqual(severity === undefined ? [] : [severity]);
  });

  it.each([
    ['0', '0%', ['error']],
    ['0', '1', []],
    ['10%', '0', []],
  ])('a surge of %s with %s unavailable can roll out, or not', (surge, unavailable, found) => {
    const beside = ['rolloutOptions:', `  maxSurgeReplicas: ${surge}`];
    const all = inSpec('spec', ...beside, `  maxUnavailableReplicas: ${unavailable}`);

    expect(all.map((one) => one.split(' ')[0])).toEqual(found);
  });

  it.each<[type: string, found: readonly (string | undefined)[]]>([
    ['serverless', [undefined, 'error', 'error', 'error']],
    ['standard', [undefined, 'warning', 'warning', 'error']],
    ['stateful', [undefined, 'warning', 'warning', 'error']],
    ['vm', [undefined, 'warning', 'warning', 'error']],
    ['cron', [undefined, 'note', 'note', 'error']],
  ])('a timeout beyond 600 seconds of the type %s: sources disagree', (type, found) => {
    const all = ['600', '601', '3600', '3601'].map(
      (seconds) => severities('defaultOptions.timeoutSeconds', seconds, `type: ${type}`)[0],
    );

    expect(all).toEqual(found);
  });
});

describe('a termination grace period of an hour', () => {
  const reported = (tag: string, seconds = 3_600) =>
    checked(
      `tags: {svc/relaxGracePeriodMax: ${tag}}\nspec: {rolloutOptions: {terminationGracePeriodSeconds: ${seconds}}}`,
    ).findings.filter(({ path }) => path.startsWith('spec'));

  it.each(['true', '"true"', 'yes', '1', '"{{ .Values.relaxed }}"', '$RELAXED'])(
    'is right with the tag that relaxes it, or may: %s',
    (tag) => {
      expect(reported(tag)).toEqual([]);
    },
  );

  it.each(['"false"', 'false', '0', 'no', 'off', '""', 'null'])(
    'is too long where the tag says no: %s',
    (tag) => {
      expect(reported(tag)).toHaveLength(1);
    },
  );

  it('is the most with the tag', () => {
    expect(reported('true', 3_601)).toHaveLength(1);
  });
});

it.each([
  ['{dedicated: true}', 'true', 1],
  ['{dedicated: true, multiZone: {enabled: true}}', 'true', 0],
  ['{dedicated: false}', 'true', 0],
  ['{dedicated: true}', 'false', 0],
])('a load balancer of %s beside multi-zone %s has %i warnings', (balancer, zones, count) => {
  const text = `kind: gvc\nname: shop\nspec:\n  loadBalancer: ${balancer}\n---\nname: web\nspec:\n  defaultOptions:\n    multiZone: {enabled: ${zones}}`;
  const { findings } = checked(text);

  expect(findings.filter(({ path }) => path === 'spec.loadBalancer')).toHaveLength(count);
});
