import { countFields, nameFindings, STORAGE_NAME } from './fields.ts';
import { optionFindings } from './check-options.ts';
import { tagFindings } from './check-tags.ts';
import {
  copied,
  createNearest,
  error,
  found,
  note,
  spoken,
  warning,
  type Checked,
  type Finding,
  type UnreadableText,
} from './finding.ts';
import {
  everyNode,
  isStated,
  isTemplate,
  itemsOf,
  membersOf,
  NO_NAME,
  textOf,
  within,
  type ManifestNode,
  type Member,
} from './manifest/node.ts';
import { readManifest } from './manifest/read.ts';

/**
 * Checks a manifest in YAML or JSON: values against spec 2.13, 2.16 and 8, and the names of all fields
 * against the published ones. Fields with unchecked values are counted and named. Several documents, and
 * lists in `items`, are read in order. Never throws; `unreadable` means neither YAML nor JSON.
 * @param prefix of the brand, without its slash: `svc`
 */
export function checkManifest(
  text: string,
  prefix: string,
): Checked | { unreadable: UnreadableText } {
  const read = readManifest(text);
  if ('unreadable' in read) return read;
  const single = read.documents.flatMap(unwrapped);
  const foreign = foreignIn(single, prefix);
  const workloads = single.filter((document) => !foreign.has(document) && isWorkload(document));
  const isOneOf = new Set(workloads);
  const rest = single.filter((document) => !isOneOf.has(document));
  const nearestName = createNearest();
  const nearestValue = createNearest();
  const findings = workloads.flatMap((workload) => {
    const name = nameOf(workload);
    const ofOne = [
      ...twiceFindings(workload),
      ...nameFindings(workload, prefix, nearestName),
      ...optionFindings(workload, prefix, nearestValue),
      ...tagFindings(workload, prefix),
      ...storageFindings(workload, prefix),
    ];
    return name === '' ? ofOne : ofOne.map((one) => ({ ...one, workload: name }));
  });
  const zones = zoneFindings(read.documents, workloads, prefix);
  const counts = workloads.map(countFields);
  return {
    findings: [...foreign.values(), ...findings, ...zones].toSorted((a, b) => a.line - b.line),
    workloads: workloads.map(nameOf),
    fields: {
      total: counts.reduce((sum, { total }) => sum + total, 0),
      unchecked: counts.flatMap(({ unchecked }) => unchecked),
    },
    others: othersOf(
      rest,
      workloads.some((workload) => isMultiZone(workload, prefix)),
    ),
  };
}

function nameOf(document: ManifestNode): string {
  const name = within(document, 'name') ?? within(document, 'metadata', 'name');
  return textOf(name)?.trim() ?? '';
}

function unwrapped(document: ManifestNode): readonly ManifestNode[] {
  if (document.kind === 'list') return document.items.flatMap(unwrapped);
  const items = within(document, 'items');
  const isList = items?.kind === 'list' && within(document, 'spec') === undefined;
  return isList ? itemsOf(items).flatMap(unwrapped) : [document];
}

/** A pasted part of a manifest often lacks its kind. */
function isWorkload(document: ManifestNode): boolean {
  const kind = within(document, 'kind');
  if (kind !== undefined) return textOf(kind)?.toLowerCase() === 'workload';
  return membersOf(document).some(({ name }) => name === 'spec' || name === 'tags');
}

/**
 * Kubernetes documents with their findings. Beside a document in the operator's form they are fine: those are
 * applied together.
 */
function foreignIn(
  documents: readonly ManifestNode[],
  prefix: string,
): ReadonlyMap<ManifestNode, Finding> {
  const stated = documents.flatMap((document) => {
    const version = within(document, 'apiVersion');
    return isStated(version) && !isTemplate(version) ? [{ document, version }] : [];
  });
  const isOwn = stated.some(({ version }) => textOf(version)?.startsWith(`${prefix}.`));
  if (isOwn) return new Map();
  const what = (version: ManifestNode) => `is ${spoken(version)}, which is Kubernetes`;
  return new Map(
    stated.map(({ document, version }) => [
      document,
      found(
        version,
        error(what(version), `convert it first: a workload has ${KIND} and its own fields`),
      ),
    ]),
  );
}

const KIND = '`kind: workload`';

/** Short descriptions of the other documents. @param hasZones whether their load balancers matter */
function othersOf(documents: readonly ManifestNode[], hasZones: boolean): Checked['others'] {
  const others = documents.map((document) => {
    const kind = textOf(within(document, 'kind')) ?? `line ${document.line} (no kind)`;
    const name = `${kind} ${nameOf(document)}`.trim();
    const isLooked = hasZones && balancersIn(document).length > 0;
    return { name, ...(isLooked ? { except: 'its load balancer' } : {}) };
  });
  return [...new Map(others.map((other) => [other.name, other])).values()];
}

/** Of a repeated name the last one counts, which is seldom intended. */
function twiceFindings(workload: ManifestNode): readonly Finding[] {
  return [...everyNode(workload)].flatMap((node) =>
    membersOf(node).flatMap(({ name, node: at, earlier }) =>
      earlier === undefined || name === NO_NAME
        ? []
        : [
            found(
              at,
              warning(
                `stands here for the second time, the first is in line ${earlier}: at most one of them counts`,
                'leave one of them out',
              ),
            ),
          ],
    ),
  );
}

/**
 * Multi-zone with a dedicated load balancer causes charges for traffic between the zones as long as the load
 * balancer of the GVC is not multi-zone (spec 2.13). A text may hold both, in several documents. Pure.
 */
function zoneFindings(
  documents: readonly ManifestNode[],
  workloads: readonly ManifestNode[],
  prefix: string,
): readonly Finding[] {
  if (!workloads.some((workload) => isMultiZone(workload, prefix))) return [];
  return documents
    .flatMap(balancersIn)
    .filter(({ node }) => textOf(within(node, 'dedicated')) === 'true' && !hasZones(node))
    .map(({ node }) =>
      found(
        node,
        warning(
          'is dedicated and has no multi-zone, while a workload here has: traffic between the zones costs more than it must',
          'enable multi-zone in the load balancer settings of the GVC, too',
        ),
      ),
    );
}

function balancersIn(document: ManifestNode): readonly Member[] {
  return [...everyNode(document)].flatMap((node) =>
    membersOf(node).filter(({ name }) => name === 'loadBalancer'),
  );
}

/** By the option or by its deprecated tag. */
function isMultiZone(workload: ManifestNode, prefix: string): boolean {
  const option = textOf(within(workload, 'spec', 'defaultOptions', 'multiZone', 'enabled'));
  return (option ?? textOf(within(workload, 'tags', `${prefix}/multiZone`))) === 'true';
}

function hasZones(balancer: ManifestNode): boolean {
  const zones = within(balancer, 'multiZone');
  return textOf(zones) === 'true' || textOf(within(zones, 'enabled')) === 'true';
}

/**
 * Ephemeral storage against CPU (spec 8): a replica may use 1 GB, and above one core 1 GB per core; one that
 * uses more is replaced. Pure. @param prefix of the brand
 */
function storageFindings(workload: ManifestNode, prefix: string): readonly Finding[] {
  const containers = within(workload, 'spec', 'containers');
  if (containers === undefined || itemsOf(containers).length === 0) return [];
  // The size of a large disk is not published.
  if (textOf(within(workload, 'tags', `${prefix}/largeDisk`)) === 'true') return [];
  const cores = itemsOf(containers).map(coresOf);
  const known = sum(cores.map((each) => each ?? 0));
  const isWhole = cores.every((each) => each !== undefined);
  const allowed = Math.max(1, known);
  const stated = statedStorage(workload);
  // The other containers may raise the allowance, so no excess can be claimed.
  if (stated !== undefined && isWhole && stated.gigabytes > allowed) {
    const what = `${stated.says} of ephemeral storage in a replica, but ${figure(known)} ${known === 1 ? 'core allows' : 'cores allow'} ${figure(allowed)} GB: a replica that exceeds it is replaced`;
    const fix = `for so much ask for at least ${figure(stated.gigabytes)} cores, add the tag ${copied(`${prefix}/largeDisk`)}, or use a volume`;
    return [found(stated.node, warning(what, fix))];
  }
  const least = isWhole ? '' : 'at least ';
  const basis = isWhole ? figured(known) : `not every container states its ${copied('cpu')}`;
  const what = `gives a replica ${least}${figure(allowed)} GB of ephemeral storage (${basis}); a replica that exceeds it is replaced`;
  return [found(containers, note(what))];
}

function figured(cores: number): string {
  return `1 GB per core, 1 GB at least, and there ${cores === 1 ? 'is 1 core' : `are ${figure(cores)} cores`}`;
}

/** `500m` and 0.5 are half a core; undefined when absent or unreadable. */
function coresOf(container: ManifestNode): number | undefined {
  const text = textOf(within(container, 'cpu'))?.trim() ?? '';
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(m?)$/.exec(text);
  if (parts === null) return undefined;
  return Number(parts[1]) / (parts[2] === 'm' ? 1_000 : 1);
}

interface Storage {
  readonly node: ManifestNode;
  readonly gigabytes: number;
  /** With the unit as written: "is 5Gi". */
  readonly says: string;
}

/** The requests of all containers of a replica: of each container the largest one in it. */
function statedStorage(workload: ManifestNode): Storage | undefined {
  const spec = within(workload, 'spec');
  const containers = itemsOf(within(spec, 'containers')).flatMap((one) => largestIn([one]));
  const others = membersOf(spec).filter(({ name }) => name !== 'containers');
  const outside = largestIn(others.map(({ node }) => node)).concat(
    others.flatMap(({ name, node }) => storageOf(name, node)),
  );
  const [first] = containers;
  if (first === undefined) return outside[0];
  if (containers.length === 1) return first;
  const gigabytes = sum(containers.map((each) => each.gigabytes));
  return { node: first.node, gigabytes, says: `adds up to ${added(containers, gigabytes)}` };
}

const MAX_ADDED = 4;

/** `2Gi + 600Mi`, or the sum of many. */
function added(containers: readonly Storage[], gigabytes: number): string {
  if (containers.length > MAX_ADDED) return `${figure(gigabytes)} GB`;
  return containers.map(({ node }) => textOf(node)?.trim()).join(' + ');
}

function largestIn(nodes: readonly ManifestNode[]): Storage[] {
  const all = nodes.flatMap((node) => [...everyNode(node)]);
  const stated = all.flatMap((node) =>
    membersOf(node).flatMap((member) => storageOf(member.name, member.node)),
  );
  return stated.toSorted((a, b) => b.gigabytes - a.gigabytes).slice(0, 1);
}

/** Binary units, which are the larger ones, so that the limit is never applied too strictly. */
const GIGABYTES: Readonly<Record<string, number>> = {
  k: 2 ** -20,
  m: 2 ** -10,
  g: 1,
  t: 2 ** 10,
};

/** Empty for a number without a unit: it may be bytes or anything else. */
function storageOf(name: string, node: ManifestNode): Storage[] {
  if (!STORAGE_NAME.test(name) || !isStated(node)) return [];
  const text = textOf(node)?.trim() ?? '';
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)\s{0,2}([kmgt])(?:i?b?)$/i.exec(text);
  const unit = GIGABYTES[parts?.[2]?.toLowerCase() ?? ''];
  if (parts === null || unit === undefined) return [];
  return [{ node, gigabytes: Number(parts[1]) * unit, says: `is ${text}` }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function figure(number: number): string {
  return String(Math.round(number * 1_000) / 1_000);
}
