import type { Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import { nameOf, placeValue } from '../../platform/deployments/target.ts';
import type { Addresses } from '../../platform/workload/addresses.ts';
import { button, context, section, topText } from '../../slack/kit/blocks.ts';
import { code, LIMITS, mrkdwn } from '../../slack/kit/text.ts';
import type { Mrkdwn } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import type { WorkloadTarget } from './parse.ts';

export const PROBE_ACTION = 'workload.probe';

interface AddressesView {
  org: string;
  target: WorkloadTarget;
  addresses: Addresses;
  /** Whether the platform reports runs of a cron workload. */
  cron: boolean;
  /** As typed; undefined: those that the platform reports count. */
  replicas: number | undefined;
  port: number | undefined;
  /** Items of the platform's answer that could not be read. */
  skipped: number;
}

/** What a workload is answered with of which no deployment is reported. Pure. */
export function notReported(org: string, target: WorkloadTarget, skipped: number): Answer {
  const why =
    skipped === 0
      ? mrkdwn`no deployments are reported, so its locations and addresses are not known; a new workload appears after its first report.`
      : mrkdwn`no deployment can be read, so its locations and addresses are not known; ${code(`/deployments ${nameOf(target)}`)} may say more.`;
  const text = mrkdwn`${titleOf(org, target)}: ${why}`;
  return { text: topText(text), blocks: [section(text)] };
}

/** What `/workload addresses` answers (spec 2.14): one address per line, to be copied. Pure. */
export function addressesAnswer(view: AddressesView): Answer {
  const { org, target, addresses, cron } = view;
  const { canonical, canonicalWithPrefix, locations } = addresses;
  const main = canonicalWithPrefix.known ? canonicalWithPrefix.host : canonical;
  const places = plural(locations.length, 'location');
  const title = titleOf(org, target);
  return {
    text: topText(mrkdwn`${title}: from anywhere ${copyable(main)}, and in ${places}`),
    blocks: fitting(view, section(mrkdwn`${title}, in ${places}${cron ? NO_SERVER : ''}`)),
    ...(cron ? {} : { buttons: [probeButton(org, target)] }),
    shareable: true,
    needs: 'orgs',
  };
}

/** An address to be copied: as a whole, because a cut one would be a wrong one. */
function copyable(address: string): Mrkdwn {
  return code(address, 600);
}

/** One kind of address: its name, when to use it, and the addresses, in as many sections as they take. */
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
 * The addresses of replicas, location by location, which their hosts name: all of them where there is room,
 * else the first ones and the last, with a count. An unknown number leaves the placeholder of the index.
 * @param room lines for addresses, two for each location that is shown
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

/** Lines that each location may have, 2 or more, so that what few of them need is left for the others. */
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

/** Sends `/workload probe` for the workload. */
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

const NO_SERVER =
  ': a cron workload, which serves nothing, so nothing answers at the addresses that its deployments give';

/** Kept for what stands below an answer. */
const REST_LENGTH = 400;

/** Lines of one listing: with the shortest names there is room for no more. */
const MOST_LINES = 180;

/** The answer with as many replicas as a message takes. */
function fitting(view: AddressesView, head: KnownBlock): KnownBlock[] {
  const { addresses } = view;
  let blocks: KnownBlock[] = [];
  for (let room = MOST_LINES; room >= 2; room = Math.floor(room * 0.95)) {
    blocks = [
      head,
      ...globally(view),
      ...outside(addresses, room),
      ...inside(addresses, room),
      notes(view),
    ];
    if (JSON.stringify(blocks).length <= LIMITS.messageCharacters - REST_LENGTH) break;
  }
  return blocks;
}

const outerReplica = ({ replica }: InLocation) => replica;

const innerReplica = ({ internalReplica }: InLocation) => internalReplica;

/** The address that clients should take comes first: that with the prefix, where the org has one. */
function globally({ org, addresses }: AddressesView): KnownBlock[] {
  const { canonical, canonicalWithPrefix } = addresses;
  const use = mrkdwn`for clients anywhere: balanced over the locations, TLS ends at the platform`;
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

function outside({ locations }: Addresses, room: number): KnownBlock[] {
  return [
    ...kind(
      'Custom domains',
      mrkdwn`the workload’s own status has an endpoint for each domain route; no endpoint that Purser can read lists them`,
      [],
    ),
    ...kind('One location', mrkdwn`past the balancing`, locationLines(locations)),
    ...kind(
      'One replica',
      mrkdwn`from outside; stateful workloads only, and optional there`,
      replicaLines(locations, outerReplica, room),
    ),
  ];
}

/** Characters for the hosts of locations, of which no workload has so many. */
const LOCATIONS_LENGTH = 5_000;

function locationLines(locations: readonly InLocation[]): Mrkdwn[] {
  const all = locations.map(({ location, host }) => inPlace(host, location));
  const widest = Math.max(...all.map(({ text }) => text.length + 1));
  const shown = all.slice(0, Math.max(1, Math.floor(LOCATIONS_LENGTH / widest)));
  const hidden = all.length - shown.length;
  return hidden === 0 ? shown : [...shown, mrkdwn`… and ${plural(hidden, 'more location')}`];
}

/** The location is named where its host does not. */
function inPlace(host: string, location: string): Mrkdwn {
  return host.includes(`.${location}.`) ? copyable(host) : mrkdwn`${copyable(host)} ${location}`;
}

function inside({ internal, locations, containers }: Addresses, room: number): KnownBlock[] {
  return [
    ...kind(
      'Internal',
      mrkdwn`for workloads of the same org: mutual TLS, and the internal firewall decides`,
      [copyable(internal)],
    ),
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

/** Where a missing piece is told. */
const VARIABLES = {
  GLOBAL_DOMAIN: '{global_domain}',
  LOCATION_DOMAIN: '{location_domain}',
  INTERNAL_DOMAIN: '{internal_domain}',
} as const;

function notes(view: AddressesView): KnownBlock {
  const { addresses, replicas, port, target, skipped } = view;
  const said: Mrkdwn[] = [
    mrkdwn`Addresses of replicas are constructed, not discovered: indexes run from 0 to the number of replicas less one, and internal DNS serves them`,
  ];
  for (const name of addresses.missing) {
    said.push(mrkdwn`${code(VARIABLES[name])}: whoever runs Purser has to set ${code(name)}`);
  }
  if (addresses.otherDomain !== undefined) {
    said.push(
      mrkdwn`the platform reports ${copyable(addresses.otherDomain)}, and ${code('LOCATION_DOMAIN')} says otherwise: what it reports is shown`,
    );
  }
  if (addresses.alias === undefined) {
    said.push(
      mrkdwn`${code('<gvcAlias>')}: no deployment of ${target.gvc} reports an endpoint that shows it; inside a container it is in the variable that ${code('/workload env alias')} names`,
    );
  }
  if (replicas === undefined)
    said.push(mrkdwn`another number of replicas: add ${code('replicas=N')}`);
  if (port === undefined) said.push(mrkdwn`${code('<port>')}: add ${code('port=8080')}`);
  if (skipped > 0) {
    said.push(
      mrkdwn`${plural(skipped, 'deployment')} could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
    );
  }
  return context(...said);
}
