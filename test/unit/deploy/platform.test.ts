import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../../src/config/config.ts';
import { secretVariables, variables } from '../../../src/config/variables.ts';
import { checkManifest } from '../../../src/platform/workload/check.ts';

const text = readFileSync(new URL('../../../deploy/platform/purser.yaml', import.meta.url), 'utf8');

interface Workload {
  kind: string;
  name: string;
  spec: {
    identityLink: string;
    containers: {
      image: string;
      memory: string;
      ports: { number: number }[];
      env: { name: string; value: string }[];
      livenessProbe: { httpGet: { path: string; port: number } };
      readinessProbe: { httpGet: { path: string; port: number } };
    }[];
    rolloutOptions: { terminationGracePeriodSeconds: number };
    defaultOptions: { timeoutSeconds: number };
  };
}

const documents = parseAllDocuments(text).map((document) => document.toJS() as Workload);
const workloads = documents.filter(({ kind }) => kind === 'workload');

test('/workload check has no errors and no warnings for it', () => {
  const checked = checkManifest(text, 'svc');
  if ('unreadable' in checked) throw new Error(checked.unreadable.says);

  expect(checked.workloads).toEqual(['purser-app', 'purser-worker']);
  expect(checked.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  expect(checked.others).toEqual(['identity purser', 'policy purser-secrets']);
});

test('/workload check would find a mistake in it', () => {
  const wrong = text.replace('scalingPolicy: OrderedReady', 'scalingPolicy: Ordered');
  const checked = checkManifest(wrong, 'svc');

  expect('findings' in checked && checked.findings.map(({ severity }) => severity)).toContain(
    'error',
  );
});

describe.each(workloads.map((one): [string, Workload] => [one.name, one]))(
  '%s',
  (name, { spec }) => {
    const [container] = spec.containers;
    const env = Object.fromEntries(container?.env.map((each) => [each.name, each.value]) ?? []);

    test('has a complete configuration, of variables that the bot reads', () => {
      const values = Object.entries(env).map(([variable, value]) => [
        variable,
        value.startsWith('svc://secret/') ? exampleOf(variable) : value,
      ]);
      const config = loadConfig({ ...Object.fromEntries(values), SVC_TOKEN: 'token' });

      expect(Object.keys(env).filter((variable) => !(variable in variables))).toEqual([]);
      expect(`purser-${config.role}`).toBe(name);
      expect(config.slack.mode).toBe('socket');
      expect(config.api.credentials.get('my-org')).toMatchObject({ kind: 'workload' });
      expect(config.opsPort).toBe(container?.ports[0]?.number);
    });

    test('has its keys as secrets of the platform', () => {
      const secrets = Object.entries(env).filter(([variable]) =>
        secretVariables.includes(variable as never),
      );

      // The platform injects the token of the workload: no file has it.
      expect(secrets.find(([variable]) => variable === 'ORG_TOKENS')?.[1]).toBe(
        '{"my-org":"$SVC_TOKEN"}',
      );
      for (const [variable, value] of secrets.filter(([each]) => each !== 'ORG_TOKENS')) {
        expect(value).toBe(`svc://secret/purser.${variable}`);
      }
      expect(secrets.length).toBeGreaterThan(4);
    });

    test('has probes, room and time to end', () => {
      const port = container?.ports[0]?.number;

      expect(container?.livenessProbe.httpGet).toEqual({ path: '/healthz', port });
      expect(container?.readinessProbe.httpGet).toEqual({ path: '/readyz', port });
      expect(container?.memory).toBe('512Mi');
      expect(container?.image).toMatch(/:(?!latest)[\w.]+$/);
      expect(spec.rolloutOptions.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
    });
  },
);

function exampleOf(variable: string): string {
  if (variable === 'SECRET_KEY') return Buffer.alloc(32, 1).toString('base64');
  return variable === 'REDIS_URL' ? 'redis://:password@purser-redis:6379' : 'secret';
}
