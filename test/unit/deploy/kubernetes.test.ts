import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../../src/config/config.ts';
import { secretVariables, variables } from '../../../src/config/variables.ts';
import {
  filesOf,
  kustomizationOf,
  problemsOf,
  resourcesInHttpMode,
  resourcesOf,
  type Resource,
} from '../../support/kubernetes.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const base = resourcesOf('.');
const http = resourcesInHttpMode();
const redis = resourcesOf('redis');
const monitoring = resourcesOf('monitoring');
const state = resourcesOf('state');

const named = (all: readonly Resource[]) =>
  all.map((one): [string, Resource] => [`${one.kind} ${one.metadata.name}`, one]);

const podsIn = (all: readonly Resource[]) =>
  named(all.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet'));

/** A value of each secret, as the Secret has it. */
const SECRETS: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_SIGNING_SECRET: 'signing',
  ORG_TOKENS: '{"my-org":"key"}',
  REDIS_URL: 'redis://:password@purser-redis:6379',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
};

function one(all: readonly Resource[], kind: string, name: string): Resource {
  const found = all.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** The configuration of a role, with the files of the Secret. */
function configOf(all: readonly Resource[], role: string) {
  const { data = {} } = one(all, 'ConfigMap', 'purser');
  const [container] = one(all, 'Deployment', `purser-${role}`).spec.template.spec.containers;
  const own = container?.env?.map(({ name, value }) => [name, value]) ?? [];
  return loadConfig({ ...data, ...Object.fromEntries(own) }, (path) => {
    const secret = SECRETS[path.replace('/etc/purser/secrets/', '')];
    if (secret === undefined) throw new Error(`no file ${path}`);
    return secret;
  });
}

describe.each([
  ['the base', base],
  ['HTTP mode', http],
  ['redis', redis],
  ['monitoring', monitoring],
  ['state', state],
])('the manifests of %s', (_folder, all) => {
  test.each(named(all))('%s has the fields that Kubernetes publishes', (_name, resource) => {
    expect(problemsOf(resource)).toEqual([]);
  });

  test.each(named(all))('%s is in the namespace of Purser', (_name, { kind, metadata }) => {
    expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe('purser');
  });
});

test.each(['.', 'http', 'redis', 'monitoring', 'state'])(
  'kustomize takes every file of %s',
  (folder) => {
    const { resources, patches = [] } = kustomizationOf(folder);

    expect([...resources, ...patches.map(({ path }) => path)].toSorted()).toEqual(
      filesOf(folder).toSorted(),
    );
  },
);

test('a misspelled field of a manifest is found', () => {
  const wrong = structuredClone(one(base, 'Deployment', 'purser-app'));
  Object.assign(wrong.spec.template.spec.containers[0]!, { livenessProb: {} });

  expect(problemsOf(wrong)).toEqual([
    'spec.template.spec.containers.0.livenessProb is not in the schema',
  ]);
});

describe.each(podsIn([...base, ...redis, ...http, ...state]))('%s', (_name, { spec }) => {
  const pod = spec.template.spec;
  const [container] = pod.containers;

  test('keeps to the restricted Pod Security Standard', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.toSatisfy((user: number) => user > 0),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(Object.keys(pod)).not.toEqual(expect.arrayContaining(['hostNetwork']));
    expect(pod.volumes.filter((volume) => !volume.secret && !volume.emptyDir)).toEqual([]);
  });

  test('has a request and a limit of memory, which are the same', () => {
    expect(container?.resources.limits['memory']).toMatch(/^\d+Mi$/);
    expect(container?.resources.requests['memory']).toBe(container?.resources.limits['memory']);
  });

  test('names its image by a tag or a digest, and not by latest', () => {
    expect(container?.image).toMatch(/^[\w./-]+:(?!latest)[\w.-]+(@sha256:[\da-f]{64})?$/);
  });

  test('has time to end', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
  });

  test('is selected by its own labels', () => {
    expect(spec.selector).toEqual({ matchLabels: spec.template.metadata.labels });
  });
});

test('the pod of the operator commands has the image, the secrets and the way to Redis of a worker', () => {
  const [worker, operator] = [
    one(base, 'Deployment', 'purser-worker'),
    one(state, 'Deployment', 'purser-state'),
  ].map(({ spec }) => spec.template) as [
    Resource['spec']['template'],
    Resource['spec']['template'],
  ];
  const [theirs, own] = [worker.spec.containers[0], operator.spec.containers[0]];

  expect(own).toMatchObject({
    image: theirs?.image,
    envFrom: theirs?.envFrom,
    volumeMounts: theirs?.volumeMounts,
  });
  expect(operator.spec.volumes).toEqual(worker.spec.volumes);
  // The policies of the network select by it, a budget and a Service by the component.
  expect(operator.metadata.labels).toEqual({
    ...worker.metadata.labels,
    'app.kubernetes.io/component': 'state',
  });
});

describe.each(['app', 'worker'])('the deployment of %s', (role) => {
  const { spec } = one(base, 'Deployment', `purser-${role}`);
  const [container] = spec.template.spec.containers;

  test('has the role, in the image of this version', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };

    expect(container?.env).toEqual([{ name: 'ROLE', value: role }]);
    expect(container?.image).toBe(`purser:${version}`);
  });

  test('asks for health and readiness at the operations port', () => {
    const config = configOf(base, role);

    expect(container?.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'ops' });
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'ops' });
    expect(container?.ports).toEqual([{ name: 'ops', containerPort: config.opsPort }]);
  });

  test('has as much memory as in compose.yaml', () => {
    const compose = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { mem_limit: string }>;
    };

    expect(container?.resources.limits['memory']).toBe(
      compose.services[role]?.mem_limit.replace('m', 'Mi'),
    );
  });

  test('may lose one replica at a time', () => {
    const budget = one(base, 'PodDisruptionBudget', `purser-${role}`);

    expect(spec.replicas).toBeGreaterThan(1);
    expect(budget.spec).toEqual({ maxUnavailable: 1, selector: spec.selector });
  });

  test('has a Service for its metrics, which the ServiceMonitor selects', () => {
    const service = one(base, 'Service', `purser-${role}`);
    const monitor = one(monitoring, 'ServiceMonitor', 'purser').spec;

    expect(service.spec.selector).toEqual(spec.template.metadata.labels);
    expect(service.metadata.labels).toMatchObject(
      (monitor.selector as { matchLabels: object }).matchLabels,
    );
    expect(service.spec).toMatchObject({ ports: [{ name: 'ops', targetPort: 'ops' }] });
    expect(monitor).toMatchObject({ endpoints: [{ port: 'ops', path: '/metrics' }] });
  });
});

describe('the configuration', () => {
  test.each([
    ['the base', base, 'socket'],
    ['HTTP mode', http, 'http'],
  ])('of %s is complete for both roles', (_folder, all, mode) => {
    for (const role of ['app', 'worker']) {
      const config = configOf(all, role);

      expect(config.role).toBe(role);
      expect(config.slack.mode).toBe(mode);
      expect(config.opsHost).toBeUndefined();
    }
  });

  test('has only variables that the bot reads, also where they are comments', () => {
    const commented = [...read('deploy/kubernetes/config.yaml').matchAll(/^ +# ([A-Z_]+): /gm)];
    const all = [
      ...commented.map(([, name = '']) => name),
      ...Object.keys(one(base, 'ConfigMap', 'purser').data ?? {}),
      ...Object.keys(one(http, 'ConfigMap', 'purser').data ?? {}),
    ];

    expect(commented.length).toBeGreaterThan(3);
    expect(
      all.map((name) => name.replace(/_FILE$/, '')).filter((name) => !(name in variables)),
    ).toEqual([]);
  });

  test('has secrets as files alone, each at its key of the Secret', () => {
    for (const all of [base, http]) {
      const { data = {} } = one(all, 'ConfigMap', 'purser');
      const files = Object.entries(data).filter(([name]) => name.endsWith('_FILE'));

      expect(Object.keys(data).filter((name) => secretVariables.includes(name as never))).toEqual(
        [],
      );
      for (const [name, path] of files) {
        expect(secretVariables).toContain(name.replace(/_FILE$/, ''));
        expect(path).toBe(`/etc/purser/secrets/${name.replace(/_FILE$/, '')}`);
      }
      expect(files.length).toBeGreaterThan(4);
    }
    expect([...base, ...redis, ...http].filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const [, { spec }] of podsIn([...base, ...redis, ...http])) {
      const [container] = spec.template.spec.containers;
      expect(JSON.stringify([container?.env, container?.envFrom])).not.toMatch(
        /secretKeyRef|secretRef/,
      );
      expect(container?.volumeMounts).toContainEqual(
        expect.objectContaining({ name: 'secrets', readOnly: true }),
      );
    }
  });
});

interface Rule {
  from?: object[];
  to?: object[];
  ports: { protocol: string; port: number }[];
}

const policy = (all: readonly Resource[], name: string) =>
  one(all, 'NetworkPolicy', name).spec as unknown as {
    podSelector: { matchLabels: Record<string, string> };
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
  };

describe('the network', () => {
  test('lets nothing in, and out to names, HTTPS and Redis alone', () => {
    const { podSelector, policyTypes, ingress, egress = [] } = policy(base, 'purser');

    expect(podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'purser' });
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(ingress).toEqual([]);
    expect(egress.every(({ to }) => (to ?? []).length > 0)).toBe(true);
    expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([
      53, 53, 443, 6379,
    ]);
  });

  test('lets Purser alone to the Redis of these manifests, which goes nowhere', () => {
    const labels = one(redis, 'StatefulSet', 'purser-redis').spec.template.metadata.labels;
    const { podSelector, policyTypes, ingress, egress } = policy(redis, 'purser-redis');

    expect(podSelector.matchLabels).toEqual(labels);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(ingress).toMatchObject([
      { from: [{ podSelector: policy(base, 'purser').podSelector }], ports: [{ port: 6379 }] },
    ]);
    expect(egress).toEqual([]);
    expect(policy(base, 'purser').egress?.at(-1)).toMatchObject({
      to: [{ podSelector: { matchLabels: labels } }],
    });
  });

  test('opens one port for Prometheus, and one for the ingress in HTTP mode', () => {
    expect(policy(monitoring, 'purser-metrics').ingress?.flatMap(({ ports }) => ports)).toEqual([
      { protocol: 'TCP', port: configOf(base, 'app').opsPort },
    ]);
    expect(policy(http, 'purser-slack').ingress?.flatMap(({ ports }) => ports)).toEqual([
      { protocol: 'TCP', port: configOf(http, 'app').port },
    ]);
  });

  test('serves the path of Slack alone in HTTP mode', () => {
    expect(one(http, 'Ingress', 'purser').spec).toMatchObject({
      rules: [
        {
          http: {
            paths: [
              {
                path: '/slack/events',
                pathType: 'Exact',
                backend: { service: { name: 'purser-app' } },
              },
            ],
          },
        },
      ],
    });
    expect(one(http, 'Service', 'purser-app').spec).toMatchObject({
      ports: [{ name: 'ops' }, { name: 'slack', port: 3000 }],
    });
  });
});

test('the namespace enforces the restricted Pod Security Standard', () => {
  expect(one(base, 'Namespace', 'purser').metadata.labels).toMatchObject({
    'pod-security.kubernetes.io/enforce': 'restricted',
  });
});

test('the Redis of these manifests has the settings of compose.yaml', () => {
  const settings = /--appendonly yes .*\\\n.*--maxmemory \w+ --maxmemory-policy noeviction/;
  const [inCompose] = settings.exec(read('compose.yaml')) ?? [];
  const [here] = settings.exec(read('deploy/kubernetes/redis/redis.yaml')) ?? [];
  const flat = (text = '') => text.replaceAll(/\s*\\\n\s*/g, ' ');

  expect(flat(here)).toBe(flat(inCompose));
  expect(flat(here)).not.toBe('');
  const image = /image: (redis:.*)/;
  expect(image.exec(read('deploy/kubernetes/redis/redis.yaml'))?.[1]).toBe(
    image.exec(read('compose.yaml'))?.[1],
  );
});
