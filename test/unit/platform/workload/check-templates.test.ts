import { describe, expect, it } from 'vitest';
import { checked, inSpec } from './check-support.ts';

const rollout = (line: string) => inSpec('spec.rolloutOptions', 'rolloutOptions:', `  ${line}`);

describe('a name that a template leaves open', () => {
  it.each([
    '"{{ .Values.t }}"',
    '{{ .Values.t }}',
    '"svc/{{ .Values.t }}"',
    'svc/$TAG',
    '"${TAG}"',
  ])('is passed over: %s', (name) => {
    const { findings, fields } = checked(
      `${name}: a\ntags: {svc/protected: true, ${name}: maybe}\nspec: {${name}: a, rolloutOptions: {${name}: {a: 1}}}`,
    );

    expect(findings).toEqual([]);
    expect(fields).toMatchObject({ total: 2, unchecked: { length: 2 } });
  });

  it('is passed over twice, too', () => {
    expect(checked('tags: { {{ .Values.a }}: 1, {{ .Values.b }}: 2 }').findings).toEqual([]);
  });
});

describe('a value that a template leaves open', () => {
  it.each([
    '"{{ .Values.x }}"',
    '{{ .Values.x }}',
    '$VALUE',
    '"${VALUE}"',
    '"${A}-{{ .B }}"',
    '"auth.${ENV}.example.com"',
    '$T.5s',
    '$PCT%',
    'svc-$A',
  ])('is not judged: %s', (value) => {
    const text = [
      'tags: {svc/largeDisk: V, svc/disableServiceMeshInboundPort: V, svc/externalAuthAddress: V, svc/externalAuthFailureAllow: V}',
      'spec:',
      '  type: V',
      '  loadBalancer: {direct: V}',
      '  rolloutOptions: {minReadySeconds: V, maxSurgeReplicas: V, scalingPolicy: V}',
      '  requestRetryPolicy: {attempts: V, retryOn: V}',
      '  defaultOptions: {suspend: V, timeoutSeconds: V, multiZone: V}',
    ].join('\n');
    const { findings, fields } = checked(text.replaceAll(/\bV\b/g, () => value));

    expect(findings).toEqual([]);
    expect(fields.unchecked).toHaveLength(fields.total);
  });

  it('is not judged in a list of conditions, and such a list is not checked', () => {
    const { findings, fields } = checked(
      'spec: {requestRetryPolicy: {retryOn: [unavailable, {{ .Values.on }}]}}',
    );

    expect(findings).toEqual([]);
    expect(fields).toEqual({ total: 2, unchecked: ['spec.requestRetryPolicy.retryOn[1]'] });
  });

  it.each([
    ['tags: V', 'tags: {svc/relaxMemoryToCpuRatio: "true"}'],
    ['defaultOptions: V', 'defaultOptions: {timeoutSeconds: 5, capacityAI: false}'],
    ['external: V', 'external: {inboundAllowCIDR: [0.0.0.0/0]}'],
    ['internal: V', 'internal: {inboundAllowType: same-gvc}'],
    ['loadBalancer: V', 'loadBalancer: {direct: {enabled: true}}'],
    ['rolloutOptions: V', 'rolloutOptions: {terminationGracePeriodSeconds: 900}'],
  ])('may hold what is missed elsewhere: %s', (open, whole) => {
    const container =
      '{name: web, image: "a:1", cpu: 100m, memory: 1Gi, ports: [{number: 80, protocol: http}], readinessProbe: {grpc: {port: 80}}, lifecycle: {preStop: {exec: {command: [sleep, "100"]}}}, gpu: {custom: {resource: x}}, env: [{name: KEY, value: svc://secret/a.b}]}';
    const without = (part: string) => {
      const top = part.startsWith('tags') ? part : '';
      const firewall = /^(external|internal)/.test(part) ? part : '';
      const rest = top + firewall === '' ? `, ${part}` : '';
      const text = `kind: workload\nname: web\n${top}\nspec: {type: standard, firewallConfig: {${firewall}}, containers: [${container}]${rest}}`;
      return checked(text).findings.map(({ path, what }) => `${path} ${what}`);
    };
    const found = without(whole);

    expect(found.length).toBeLessThan(without('supportDynamicTags: false').length);
    expect(without(open.replace('V', '{{ .Values.x }}'))).toEqual(found);
    expect(without(open.replace('V', '{"{{ .Values.x }}": 1}'))).toEqual(found);
    expect(without(open.replace('V', '"${X}"'))).toEqual(found);
  });

  it('is accepted in a deprecated tag', () => {
    const port = '{number: 80, protocol: $PROTOCOL}';
    const text = `tags: {svc/protocol: http}\nspec: {containers: [{ports: [${port}]}]}`;
    const ofTags = checked(text).findings.filter(({ path }) => path.startsWith('tags'));

    expect(ofTags.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('differs from a value that is merely odd', () => {
    expect(rollout('minReadySeconds: "$5"')).toEqual([]);
    for (const odd of ['"5$"', '"cost$"', '"$"', '"$ 5"', '"{5}"', '{a: 1}']) {
      expect(rollout(`minReadySeconds: ${odd}`)[0]).toMatch(/^error /);
    }
  });
});
