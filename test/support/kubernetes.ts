import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));

const MODELS = {
  ConfigMap,
  Deployment,
  Ingress,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  Service,
  ServiceMonitor,
  StatefulSet,
} as const;

const TOP = ['apiVersion', 'kind', 'metadata', 'spec', 'data'];

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface Container {
  name: string;
  image: string;
  env?: { name: string; value: string }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: object }[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: { httpGet: { path: string; port: string } };
  readinessProbe: { httpGet: { path: string; port: string } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

/** A pod as the assertions read it. */
export interface Pod {
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  containers: Container[];
  volumes: { name: string; secret?: { secretName: string }; emptyDir?: object }[];
}

export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec: {
    replicas: number;
    selector: Record<string, unknown>;
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
    [name: string]: unknown;
  };
}

interface Kustomization {
  kind: string;
  resources: string[];
  patches?: { path: string }[];
}

export function kustomizationOf(folder: string): Kustomization {
  return parse(readFileSync(join(ROOT, folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
}

/** The other files of a folder, by their names. */
export function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).filter(
    (name) => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  );
}

/** All documents of the named files of a folder. */
function resourcesIn(folder: string, files: readonly string[]): Resource[] {
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(ROOT, folder, file), 'utf8')).map((document) => {
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS() as Resource;
    }),
  );
}

/** The resources that `kubectl apply -k` of the folder applies. */
export function resourcesOf(folder: string): Resource[] {
  return resourcesIn(folder, kustomizationOf(folder).resources);
}

/** The base with HTTP mode, merged as kustomize merges: lists by the names of their items, null removes. */
export function resourcesInHttpMode(): Resource[] {
  const { resources, patches = [] } = kustomizationOf('http');
  const changes = resourcesIn(
    'http',
    patches.map(({ path }) => path),
  );
  const isOf = (one: Resource) => (change: Resource) =>
    change.kind === one.kind && change.metadata.name === one.metadata.name;
  const base = resourcesOf('.');
  const lost = changes.filter((change) => !base.some((one) => isOf(one)(change)));
  if (lost.length > 0) throw new Error(`Nothing to patch: ${lost[0]?.metadata.name}`);
  return [
    ...base.map((one) => {
      const change = changes.find(isOf(one));
      return change === undefined ? one : (merged(one as never, change as never) as never);
    }),
    ...resourcesIn('http', resources),
  ];
}

function merged(base: Json | undefined, change: Json): Json {
  if (Array.isArray(change) && Array.isArray(base)) return mergedLists(base, change);
  if (!isObject(change)) return change;
  const all = new Map(Object.entries(isObject(base) ? base : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) all.delete(name);
    else all.set(name, merged(all.get(name), value));
  }
  return Object.fromEntries(all);
}

function mergedLists(base: readonly Json[], change: readonly Json[]): Json[] {
  const nameOf = (item: Json | undefined) => (isObject(item) ? item['name'] : item);
  const kept = base.map((item) => {
    const found = change.find((one) => nameOf(one) === nameOf(item));
    return found === undefined ? item : merged(item, found);
  });
  const added = change.filter((one) => base.every((item) => nameOf(item) !== nameOf(one)));
  return [...kept, ...added];
}

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The errors of a resource by its published schema, and the fields that the schema lacks. The schemas
 * allow unknown fields, so a field that no validation reads is one.
 */
export function problemsOf(resource: Resource): string[] {
  const Model = MODELS[resource.kind as keyof typeof MODELS];
  if (Model?.apiVersion !== resource.apiVersion)
    return [`no ${resource.apiVersion} ${resource.kind}`];
  const model = new Model(resource as never);
  const read = new Set<string>();
  for (const name of TOP) {
    if (name in model)
      Object.assign(model, { [name]: watch(Reflect.get(model, name), name, read) });
  }
  try {
    model.validate();
  } catch (error) {
    return [(error as Error).message];
  }
  return Object.entries(resource)
    .flatMap(([name, value]) =>
      TOP.includes(name) ? pathsIn(value as Json, name).filter((path) => !read.has(path)) : [name],
    )
    .map((path) => `${path} is not in the schema`);
}

/** The same value, whose reads are recorded by their paths. */
function watch(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return found;
      read.add(`${path}.${name}`);
      return watch(found, `${path}.${name}`, read);
    },
  });
}

function pathsIn(value: Json, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, below]) => [
    `${path}.${name}`,
    ...pathsIn(below, `${path}.${name}`),
  ]);
}
