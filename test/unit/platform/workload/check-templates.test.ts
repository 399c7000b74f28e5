import { describe, expect, it } from 'vitest';
import { checked, inSpec } from './check-support.ts';

const rollout = (line: string) => inSpec('spec.rolloutOptions', 'rolloutOptions:', `  ${line}`);

describe('a value that a template leaves open', () => {
  it.each(['"{{ .Values.x }}"', '{{ .Values.x }}', '$VALUE', '"${VALUE}"', '"${A}-{{ .B }}"'])(
    'is not judged: %s',
    (value) => {
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
    },
  );

  it('is told from what is merely odd', () => {
    expect(rollout('minReadySeconds: "$5"')).toEqual([]);
    for (const odd of ['"5$"', '"{5}"', '{a: 1}']) {
      expect(rollout(`minReadySeconds: ${odd}`)[0]?.[0]).toBe('error');
    }
  });
});
