import type { Button, KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNatural, plural } from '../../lib/text.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { nameOf, placeValue, readTargeted } from '../../platform/deployments/target.ts';
import { PlatformError } from '../../platform/errors.ts';
import { type Addresses, addressesOf, endpointOf } from '../../platform/workload/addresses.ts';
import { readFacts } from '../../rollouts/watch/facts.ts';
import { stateAlone } from '../../rollouts/watch/status.ts';
import type { Services } from '../../services.ts';
import { button, section, topText } from '../../slack/kit/blocks.ts';
import { code, joinMrkdwn, LIMITS, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer, Rest } from '../../slack/routing/routes.ts';
import type { WorkloadCommand, WorkloadTarget } from './parse.ts';

/** @throws Refusal for an unknown workload, PlatformError */
export async function showAddresses(
  services: Pick<Services, 'deployments' | 'config' | 'stopping'>,
  org: string,
  command: Extract<WorkloadCommand, { kind: 'addresses' }>,
): Promise<Answer> {
  const { brand } = services.config;
  const { target, replicas, port } = command;
  const { deployments, skipped } = await readTargeted(services, org, target);
  if (deployments.length === 0) return notReported(org, target, skipped);
  const reported = deployments
    .map((deployment) => ({
      location: deployment.location,
      endpoint: deployment.endpoint,
      replicas: replicasOf(deployment),
    }))
    .toSorted((a, b) => compareNatural(a.location, b.location));
  const addresses = addressesOf({
    brand,
    org,
    ...target,
    alias: await findAlias(services, { org, gvc: target.gvc }, deployments),
    reported,
    replicas,
    port,
    containers: containersOf(deployments),
  });
  const cron = deployments.some((one) => stateAlone(one) === 'cron');
  return addressesAnswer({ org, target, addresses, cron, replicas, port, skipped });
}

/** Undefined: absent from the platform's answer. */
function replicasOf(deployment: Deployment): number | undefined {
  const { stated, wanted } = readFacts(deployment);
  return stated ? wanted : undefined;
}

function containersOf(deployments: readonly Deployment[]): string[] {
  const names = deployments.flatMap(({ versions }) =>
    versions.flatMap(({ containers }) => containers.map(({ name }) => name)),
  );
  return [...new Set(names)].toSorted(compareNatural);
}

/**
 * The alias is the same for all deployments of a GVC (spec 2.14). Undefined: no deployment shows
 * it, or the GVC cannot be read.
 * @throws PlatformError when the process is asked to stop
 */
export async function findAlias(
  { deployments: client, stopping }: Pick<Services, 'deployments' | 'stopping'>,
  { org, gvc }: { org: string; gvc: string },
  deployments: readonly Deployment[],
): Promise<string | undefined> {
  const known = aliasIn(deployments);
  if (known !== undefined) return known;
  try {
    return aliasIn((await client.listGvc(org, gvc, { signal: stopping })).deployments);
  } catch (error) {
    if (!(error instanceof PlatformError) || stopping.aborted) throw error;
    return undefined;
  }
}

function aliasIn(deployments: readonly Deployment[]): string | undefined {
  for (const { endpoint = '', workload, location } of deployments) {
    const alias = endpointOf(endpoint, { workload, location })?.alias;
    if (alias !== undefined) return alias;
  }
  return undefined;
}

export const PROBE_ACTION = 'workload.probe';

interface AddressesView {
  org: string;
  target: WorkloadTarget;
  addresses: Addresses;
  cron: boolean;
  /** As typed; undefined: the reported numbers are used. */
  replicas: number | undefined;
  port: number | undefined;
  skipped: number;
}

export function notReported(org: string, target: WorkloadTarget, skipped: number): Answer {
  const why =
    skipped === 0
      ? mrkdwn`no deployments are reported, so its addresses are not known. A new workload appears after its first report.`
      : mrkdwn`its deployments cannot be read, so its addresses are not known. ${code(`/deployments ${nameOf(target)}`)} may say more.`;
  const text = mrkdwn`${titleOf(org, target)}: ${why}`;
  return { text: topText(text), blocks: [section(text)] };
}

/** The most wanted addresses (spec 2.14), one per line for copying; a button opens all of them. Pure. */
export function addressesAnswer(view: AddressesView): Answer {
  const { org, target, addresses, cron } = view;
  const { canonical, canonicalWithPrefix, locations } = addresses;
  const main = canonicalWithPrefix.known ? canonicalWithPrefix.host : canonical;
  const places = plural(locations.length, 'location');
  const title = titleOf(org, target);
  const warnings = warningsOf(view);
  const unknown = unknownGlobally(addresses);
  const head = mrkdwn`${title}, in ${places}${cron ? NO_SERVER : ''}`;
  return {
    text: topText(
      unknown === undefined
        ? mrkdwn`${title}: from anywhere ${copyable(main)}, and in ${places}`
        : mrkdwn`${title}: ${unknown}`,
    ),
    blocks: [
      section(unknown === undefined ? head : mrkdwn`${head}; ${unknown}`),
      ...(unknown === undefined ? globally(view).slice(0, 1) : []),
      ...perLocation(addresses, FEW_LOCATIONS),
      ...internally(addresses),
      ...(warnings.length === 0 ? [] : [section(joinMrkdwn(warnings, '\n'))]),
    ],
    notes: notesOf(view).map(({ text }) => text),
    rest: allOf(view),
    ...(cron || unknown !== undefined ? {} : { buttons: [probeButton(org, target)] }),
    shareable: true,
    needs: orgRight(org),
  };
}

/** Replaces the global address when a part of it is missing. */
function unknownGlobally({ missing, alias }: Addresses): Mrkdwn | undefined {
  if (missing.includes('GLOBAL_DOMAIN')) {
    return mrkdwn`its global address is not known: your Purser administrator has to set ${code('GLOBAL_DOMAIN')}`;
  }
  return alias === undefined ? mrkdwn`its global address is not known yet` : undefined;
}

const FEW_LOCATIONS = 4;

/** An address to be copied is never cut. */
function copyable(address: string): Mrkdwn {
  return code(address, 600);
}

function kind(name: string, use: Mrkdwn, addresses: readonly Mrkdwn[]): KnownBlock[] {
  const sections: Mrkdwn[] = [];
  let open = mrkdwn`*${name}* – ${use}`;
  for (const address of addresses) {
    const longer = mrkdwn`${open}\n${address}`;
    const fits = longer.text.length <= LIMITS.sectionText;
    if (!fits) sections.push(open);
    open = fits ? longer : address;
  }
  return [...sections, open].map((text) => section(text));
}

type InLocation = Addresses['locations'][number];

type AddressOf = (one: InLocation) => (index?: number) => string;

/**
 * All when they fit, else the first ones and the last, with a count. An unknown number leaves the
 * placeholder of the index.
 * @param room lines for addresses, two for each shown location
 */
function replicaLines(
  locations: readonly InLocation[],
  addressOf: AddressOf,
  room: number,
): Mrkdwn[] {
  const running = locations.filter(isRunning);
  const idle = locations.length - running.length;
  const shown = running.slice(0, Math.max(1, Math.floor(room / 2)));
  const hidden = running.length - shown.length;
  const each = roomOfEach(shown.map(linesOf), room);
  return [
    ...shown.flatMap((one) => ofLocation(one, addressOf(one), each)),
    ...(hidden > 0 ? [mrkdwn`… and in ${plural(hidden, 'more location')}, alike`] : []),
    ...(idle > 0 ? [mrkdwn`no replicas now in ${plural(idle, 'location')}`] : []),
  ];
}

function isRunning({ replicas }: InLocation): boolean {
  return replicas !== 0;
}

function linesOf({ replicas = 1 }: InLocation): number {
  return replicas;
}

/** Lines for each location, 2 or more; small locations leave their unused share to the others. */
function roomOfEach(wanted: readonly number[], room: number): number {
  let left = room;
  const rising = wanted.toSorted((a, b) => a - b);
  for (const [index, count] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (count > share) return Math.max(2, share);
    left -= count;
  }
  return Math.max(2, rising.at(-1) ?? 0);
}

/** At most `room` lines, 2 or more. */
function ofLocation(
  { replicas }: InLocation,
  addressOf: (index?: number) => string,
  room: number,
): Mrkdwn[] {
  if (replicas === undefined) return [copyable(addressOf())];
  const first = replicas <= room ? replicas : room - 1;
  const all = Array.from({ length: first }, (_, index) => copyable(addressOf(index)));
  if (first < replicas) {
    const last = copyable(addressOf(replicas - 1));
    all.push(mrkdwn`… ${last}, the last of ${plural(replicas, 'replica')}`);
  }
  return all;
}

function probeButton(org: string, target: WorkloadTarget): Button {
  return button({
    action: PROBE_ACTION,
    text: 'Probe',
    value: placeValue(org, target),
    label: `Probe ${nameOf(target)}`,
  });
}

function titleOf(org: string, target: WorkloadTarget): Mrkdwn {
  return mrkdwn`*${nameOf(target)}* in org ${org}`;
}

const NO_SERVER = ': a cron workload, so nothing answers at these addresses';

/** Lines of one listing: even with the shortest names no more fit. */
const MAX_LINES = 180;

function allOf(view: AddressesView): Rest {
  const { addresses } = view;
  let blocks: KnownBlock[] = [];
  for (let room = MAX_LINES; room >= 2; room = Math.floor(room * 0.95)) {
    blocks = [...globally(view), ...outside(addresses, room), ...inside(addresses, room)];
    if (JSON.stringify(blocks).length <= LIMITS.messageCharacters) break;
  }
  const isCut = JSON.stringify(blocks).includes('…');
  const count = plural(countOf(addresses), 'address', 'addresses');
  return { button: isCut ? 'More addresses' : `All ${count}`, title: 'Addresses', blocks };
}

/** Two canonical ones, the internal one, and those of locations, replicas and containers. */
function countOf({ locations, containers }: Addresses): number {
  const replicas = locations.reduce((sum, one) => sum + linesOf(one), 0);
  return 3 + locations.length + 2 * replicas + containers.length;
}

const outerReplica = ({ replica }: InLocation) => replica;

const innerReplica = ({ internalReplica }: InLocation) => internalReplica;

/** The recommended address comes first: the one with the prefix, if the org has one. */
function globally({ org, addresses }: AddressesView): KnownBlock[] {
  const { canonical, canonicalWithPrefix } = addresses;
  const use = mrkdwn`for clients anywhere: balanced over all locations, TLS ends at the platform`;
  const [plain, prefixed] = [[copyable(canonical)], [copyable(canonicalWithPrefix.host)]];
  return canonicalWithPrefix.known
    ? [
        ...kind('Canonical with org prefix', use, prefixed),
        ...kind('Canonical', mrkdwn`without the org’s prefix: the default form`, plain),
      ]
    : [
        ...kind('Canonical', use, plain),
        ...kind(
          'Canonical with org prefix',
          mrkdwn`for orgs that have one; ${code('ORG_ENDPOINT_PREFIXES')} names none for ${org}`,
          prefixed,
        ),
      ];
}

function outside(addresses: Addresses, room: number): KnownBlock[] {
  const { locations } = addresses;
  return [
    ...kind(
      'Custom domains',
      mrkdwn`in the status of the workload, with an endpoint for each domain route; Purser cannot read them`,
      [],
    ),
    ...perLocation(addresses),
    ...kind(
      'One replica',
      mrkdwn`from outside; only stateful workloads can have them`,
      replicaLines(locations, outerReplica, room),
    ),
  ];
}

function perLocation({ locations }: Addresses, max?: number): KnownBlock[] {
  return kind(
    'One location',
    mrkdwn`goes there directly, without load balancing over locations`,
    locationLines(locations, max),
  );
}

/** Characters for the hosts of locations; real workloads stay below. */
const LOCATIONS_LENGTH = 5_000;

function locationLines(locations: readonly InLocation[], max = Infinity): Mrkdwn[] {
  const all = locations.map(({ location, host }) => inPlace(host, location));
  const widest = Math.max(...all.map(({ text }) => text.length + 1));
  const shown = all.slice(0, Math.min(max, Math.max(1, Math.floor(LOCATIONS_LENGTH / widest))));
  const hidden = all.length - shown.length;
  return hidden === 0 ? shown : [...shown, mrkdwn`… and ${plural(hidden, 'more location')}`];
}

function inPlace(host: string, location: string): Mrkdwn {
  return host.includes(`.${location}.`) ? copyable(host) : mrkdwn`${copyable(host)} ${location}`;
}

function internally({ internal }: Addresses): KnownBlock[] {
  return kind(
    'Internal',
    mrkdwn`for workloads of the same org: mutual TLS, and the internal firewall decides`,
    [copyable(internal)],
  );
}

function inside(addresses: Addresses, room: number): KnownBlock[] {
  const { locations, containers } = addresses;
  return [
    ...internally(addresses),
    ...kind(
      'Internal, one replica',
      mrkdwn`for peers, where ${code('replicaDirect')} is enabled (stateful)`,
      replicaLines(locations, innerReplica, room),
    ),
    ...kind(
      'Container to container',
      mrkdwn`inside one replica`,
      containers.map((address) => copyable(address)),
    ),
  ];
}

/** The first line covers the global domain. */
const VARIABLES = {
  LOCATION_DOMAIN: '{location_domain}',
  INTERNAL_DOMAIN: '{internal_domain}',
} as const;

function warningsOf({ addresses, target, skipped }: AddressesView): Mrkdwn[] {
  const warnings = addresses.missing.flatMap((name) =>
    name === 'GLOBAL_DOMAIN'
      ? []
      : [
          mrkdwn`⚠ ${code(VARIABLES[name])} is not known: your Purser administrator has to set ${code(name)}`,
        ],
  );
  if (addresses.otherDomain !== undefined) {
    warnings.push(
      mrkdwn`⚠ The platform reports ${copyable(addresses.otherDomain)}, which is shown; ${code('LOCATION_DOMAIN')} says otherwise`,
    );
  }
  if (addresses.alias === undefined) {
    warnings.push(
      mrkdwn`⚠ ${code('<gvcAlias>')} is not known: no deployment of ${target.gvc} reports an endpoint that shows it. Containers have it in the variable of ${code('/workload env alias')}`,
    );
  }
  if (skipped > 0) {
    warnings.push(
      mrkdwn`⚠ ${plural(skipped, 'deployment')} could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
    );
  }
  return warnings;
}

function notesOf({ replicas, port }: AddressesView): Mrkdwn[] {
  return [
    mrkdwn`The addresses of replicas are worked out from their number, not looked up: indexes begin at 0, and internal DNS serves them`,
    ...(replicas === undefined
      ? [mrkdwn`For another number of replicas add ${code('replicas=3')}`]
      : []),
    ...(port === undefined ? [mrkdwn`For ${code('<port>')} add ${code('port=8080')}`] : []),
  ];
}
