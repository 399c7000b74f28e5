import type { Button, KnownBlock } from '@slack/types';
import { plural } from '../../lib/text.ts';
import type { Addresses } from '../../platform/workload/addresses.ts';
import { button, code, context, lines, mrkdwn, section, topText } from '../../slack/kit/index.ts';
import type { Mrkdwn } from '../../slack/kit/index.ts';
import type { Answer } from '../../slack/routes.ts';
import { nameOf, placeValue } from '../deployments/place.ts';
import type { WorkloadTarget } from './parse.ts';
import { copyable, replicaLines } from './addresses-replicas.ts';

export const PROBE_ACTION = 'workload.probe';

export interface AddressesView {
  org: string;
  target: WorkloadTarget;
  addresses: Addresses;
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
  const { org, target, addresses } = view;
  const places = plural(addresses.locations.length, 'location');
  const head = mrkdwn`${titleOf(org, target)}: from anywhere ${copyable(addresses.canonical)}, and in ${places}`;
  return {
    text: topText(head),
    blocks: [section(head), ...outside(view), ...inside(view), ...notes(view)],
    buttons: [probeButton(org, target)],
    shareable: true,
    needs: 'orgs',
  };
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

/** One kind of address: its name, when to use it, and the addresses. */
function kind(name: string, use: Mrkdwn, addresses: readonly Mrkdwn[]): KnownBlock {
  return lines([mrkdwn`*${name}* – ${use}`, ...addresses], MAX_LINES);
}

/** With the line that names the kind. */
const MAX_LINES = 26;

function outside({ org, addresses }: AddressesView): KnownBlock[] {
  const { canonical, canonicalWithPrefix, locations } = addresses;
  const prefixed = canonicalWithPrefix.known
    ? mrkdwn`the same for an org that has an endpoint prefix, as ${org} does`
    : mrkdwn`the same for an org that has an endpoint prefix; ORG_ENDPOINT_PREFIXES names none for ${org}`;
  return [
    kind(
      'Canonical',
      mrkdwn`for clients anywhere: balanced over the locations, TLS ends at the platform`,
      [copyable(canonical)],
    ),
    kind('Canonical with org prefix', prefixed, [copyable(canonicalWithPrefix.host)]),
    kind(
      'Custom domains',
      mrkdwn`for names of your own: the status of the workload itself lists one endpoint for each domain route that uses it; no endpoint that Purser can read lists them`,
      [],
    ),
    kind(
      'One location',
      mrkdwn`to reach one location, past the balancing`,
      locations.map(({ location, host }) => mrkdwn`${copyable(host)} ${location}`),
    ),
    kind(
      'One replica',
      mrkdwn`to reach one replica from outside; stateful workloads only, and optional there`,
      replicaLines(locations, ({ replica }) => replica),
    ),
  ];
}

function inside({ addresses }: AddressesView): KnownBlock[] {
  const { internal, locations, containers } = addresses;
  return [
    kind(
      'Internal',
      mrkdwn`for workloads of the same org: mutual TLS; the internal firewall decides who gets in`,
      [copyable(internal)],
    ),
    kind(
      'Internal, one replica',
      mrkdwn`for peers of a stateful workload that has ${code('replicaDirect')} enabled`,
      replicaLines(locations, ({ internalReplica }) => internalReplica),
    ),
    kind(
      'Container to container',
      mrkdwn`for the containers of one replica among each other`,
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

function notes(view: AddressesView): KnownBlock[] {
  const { addresses, replicas, port, target, skipped } = view;
  const said: Mrkdwn[] = [
    mrkdwn`Addresses of replicas are constructed, not discovered: indexes run from 0 to the number of replicas less one, and internal DNS serves them${replicas === undefined ? ` (add replicas=N for another number)` : ''}`,
  ];
  for (const name of addresses.missing) {
    said.push(mrkdwn`${code(VARIABLES[name])}: whoever runs Purser has to set ${name}`);
  }
  if (addresses.otherDomain !== undefined) {
    said.push(
      mrkdwn`the platform reports ${copyable(addresses.otherDomain)} where LOCATION_DOMAIN says otherwise: what it reports is shown`,
    );
  }
  if (addresses.alias === undefined) {
    said.push(
      mrkdwn`${code('<gvcAlias>')}: no deployment of ${target.gvc} reports an endpoint that shows it; inside a container it is in the variable that ${code('/workload env alias')} names`,
    );
  }
  if (port === undefined) said.push(mrkdwn`${code('<port>')}: add ${code('port=8080')}`);
  if (skipped > 0) {
    said.push(
      mrkdwn`${plural(skipped, 'deployment')} could not be read and ${skipped === 1 ? 'is' : 'are'} left out`,
    );
  }
  return [context(...said)];
}
