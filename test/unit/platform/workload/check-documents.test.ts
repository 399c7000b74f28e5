import { expect, it } from 'vitest';
import { checked } from './check-support.ts';

const OWN = 'apiVersion: svc.example.com/v1';
const SPEC =
  'spec: {type: cron, job: {schedule: 0 3 * * *}, containers: [{name: web, image: a:1}]}';
const CART = `kind: workload\nname: cart\n${SPEC}`;

it('a document in the form for the operator that is no workload is named', () => {
  const text = `${OWN}\nkind: gvc\nmetadata: {name: shop}\n---\n${CART}`;

  expect(checked(text).others).toEqual(['gvc shop']);
});

it('a workload in the form for the operator is checked', () => {
  expect(checked(`${OWN}\nkind: workload\nmetadata: {name: cart}\n${SPEC}`)).toEqual({
    findings: [],
    workloads: ['cart'],
    flawed: { workloads: [], others: [] },
    fields: { total: 4, unchecked: [] },
    others: [],
  });
});

it.each([
  ['Deployment', 'apps/v1'],
  ['Workload', 'kueue.x-k8s.io/v1beta1'],
  ['Service', 'v1'],
])('a manifest of Kubernetes is to be converted first: %s', (kind, version) => {
  const { findings, workloads, others } = checked(
    `apiVersion: ${version}\nkind: ${kind}\nmetadata: {name: web}\nspec: {replicas: 2}`,
  );

  expect(findings).toEqual([
    {
      severity: 'error',
      path: 'apiVersion',
      line: 1,
      document: `${kind} web`,
      what: `is "${version}", which is Kubernetes`,
      fix: 'convert it first: a workload has `kind: workload` and its own fields',
    },
  ]);
  expect(workloads).toEqual([]);
  expect(others).toEqual([`${kind} web`]);
});

it('documents of Kubernetes beside those for its operator are applied together, and right', () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: token}';
  const text = `${secret}\n---\n${OWN}\nkind: workload\nmetadata: {name: cart}\n${SPEC}`;

  expect(checked(text).findings).toEqual([]);
  expect(checked(text, 'acme').findings.map(({ line }) => line)).toEqual([1, 5]);
});

it('a version that a template leaves open is not one of Kubernetes', () => {
  const text = `apiVersion: {{ .Values.api }}\n${CART}`;

  expect(checked(text)).toMatchObject({ findings: [], workloads: ['cart'] });
});
