import { copied, found, note, warning } from './check-found.ts';
import type { Finding } from './finding.ts';
import { everyNode, isStated, itemsOf, membersOf, textOf, within } from './manifest/node.ts';
import type { ManifestNode } from './manifest/node.ts';

/**
 * Ephemeral storage against CPU (spec 8): a replica may use 1 GB, and above one core 1 GB per core;
 * one that uses more is replaced. Pure. @param prefix of the brand
 */
export function storageFindings(workload: ManifestNode, prefix: string): readonly Finding[] {
  const containers = within(workload, 'spec', 'containers');
  if (containers === undefined || itemsOf(containers).length === 0) return [];
  // A large disk is as large as nobody says.
  if (textOf(within(workload, 'tags', `${prefix}/largeDisk`)) === 'true') return [];
  const cores = itemsOf(containers).map(coresOf);
  const known = sum(cores.map((each) => each ?? 0));
  const isWhole = cores.every((each) => each !== undefined);
  const allowed = Math.max(1, known);
  const stated = statedStorage(workload);
  // The rest may raise the allowance, so that nothing can be said to be too much.
  if (stated !== undefined && isWhole && stated.gigabytes > allowed) {
    const what = `${stated.says} of ephemeral storage in a replica, but ${figure(known)} ${known === 1 ? 'core allows' : 'cores allow'} ${figure(allowed)} GB: a replica that exceeds it is replaced`;
    const fix = `ask for at least ${figure(stated.gigabytes)} cores, add the tag ${copied(`${prefix}/largeDisk`)}, or use a volume`;
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

/** `500m` and 0.5 are half a core; undefined for what is not stated, or is no number of cores. */
function coresOf(container: ManifestNode): number | undefined {
  const text = textOf(within(container, 'cpu'))?.trim() ?? '';
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(m?)$/.exec(text);
  if (parts === null) return undefined;
  return Number(parts[1]) / (parts[2] === 'm' ? 1_000 : 1);
}

interface Storage {
  readonly node: ManifestNode;
  readonly gigabytes: number;
  /** With the unit that was written: "is 5Gi". */
  readonly says: string;
}

/** What the containers of a replica ask for together: of each the most that stands anywhere in it. */
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

/** `2Gi + 600Mi`, as long as they are few. */
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

/** In the units of two, which are the larger ones: what is within them is not called too much. */
const GIGABYTES: Readonly<Record<string, number>> = {
  k: 2 ** -20,
  m: 2 ** -10,
  g: 1,
  t: 2 ** 10,
};

/** Nothing for a number without its unit: nobody says whether it is bytes. */
function storageOf(name: string, node: ManifestNode): Storage[] {
  if (!/^ephemeral[-_ ]?(storage|disk)/i.test(name) || !isStated(node)) return [];
  const text = textOf(node)?.trim() ?? '';
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)\s{0,2}([kmgt])(?:i?b?)$/i.exec(text);
  const unit = GIGABYTES[parts?.[2]?.toLowerCase() ?? ''];
  if (parts === null || unit === undefined) return [];
  return [{ node, gigabytes: Number(parts[1]) * unit, says: `is ${text}` }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** At most three digits after the point, and none that say nothing. */
function figure(number: number): string {
  return String(Math.round(number * 1_000) / 1_000);
}
