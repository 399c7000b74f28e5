import type { Button, KnownBlock } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import { compareNatural, plural } from '../../lib/text.ts';
import type { Deployment } from '../../platform/deployments/deployment.ts';
import { nameOf, orgWords, placeValue, readTargeted } from '../../platform/deployments/target.ts';
import { PlatformError } from '../../platform/errors.ts';
import { type Addresses, addressesOf, endpointOf } from '../../platform/workload/addresses.ts';
import { readFacts } from '../../rollouts/watch/facts.ts';
import { stateAlone } from '../../rollouts/watch/status.ts';
import type { Services } from '../../services.ts';
import { button, section } from '../../slack/kit/blocks.ts';
import { Numeric } from '../../slack/kit/tables.ts';
import { code, joinMrkdwn, mrkdwn, type Mrkdwn, Rich } from '../../slack/kit/text.ts';
import type { Answer } from '../../slack/routing/routes.ts';
import { leftOut, lineSections } from '../answer-parts.ts';
import { listed } from '../list.ts';
import { absentPlace, type NameServices } from '../watched.ts';
import type { WorkloadCommand, WorkloadTarget } from './parse.ts';

/** @throws Refusal for an unknown workload, PlatformError */
export async function showAddresses(
  services: NameServices,
  org: string,
  command: Pick<Extract<WorkloadCommand, { kind: 'addresses' }>, 'target' | 'replicas' | 'port'>,
  page = 1,
): Promise<Answer> {
  const { target, replicas, port } = command;
  const { deployments, skipped } = await readTargeted(services, org, target, () =>
    absentPlace(services, { org, target }, (meant) =>
      [
        `/workload addresses ${nameOf(meant)}${orgWords(org, services.orgs.fallback)}`,
        ...(replicas === undefined ? [] : [`replicas=${replicas}`]),
        ...(port === undefined ? [] : [`port=${port}`]),
      ].join(' '),
    ),
  );
  if (deployments.length === 0) return notReported(org, target, skipped);
  const containers = deployments.flatMap(({ versions }) =>
    versions.flatMap((version) => version.containers.map(({ name }) => name)),
  );
  const addresses = addressesOf({
    brand: services.config.brand,
    org,
    ...target,
    alias: await findAlias(services, { org, gvc: target.gvc }, deployments),
    reported: deployments
      .map((deployment) => {
        const { location, endpoint } = deployment;
        const { stated, wanted } = readFacts(deployment);
        return { location, endpoint, replicas: stated ? wanted : undefined };
      })
      .toSorted((one, other) => compareNatural(one.location, other.location)),
    replicas,
    port,
    containers: [...new Set(containers)].toSorted(compareNatural),
  });
  const cron = deployments.some((one) => stateAlone(one) === 'cron');
  return addressesAnswer({ org, target, addresses, cron, replicas, port, skipped, page });
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
export const ADDRESSES_ROUTE = 'workload.addresses';

interface AddressesView {
  org: string;
  target: WorkloadTarget;
  addresses: Addresses;
  cron: boolean;
  /** As typed; undefined: the reported numbers are used. */
  replicas: number | undefined;
  port: number | undefined;
  skipped: number;
  /** Of the replicas, from 1 on. */
  page: number;
}

function notReported(org: string, target: WorkloadTarget, skipped: number): Answer {
  const why =
    skipped === 0
      ? mrkdwn`no deployments are reported, so its addresses are not known. A new workload appears after its first report.`
      : mrkdwn`its deployments cannot be read, so its addresses are not known. ${code(`/deployments ${nameOf(target)}`)} may say more.`;
  return { blocks: [section(mrkdwn`${titleOf(org, target)}: ${why}`)] };
}

/** Every address of spec 2.14, to be copied: those of replicas as a table. Pure. */
export function addressesAnswer(view: AddressesView): Answer {
  const { org, target, addresses, cron, replicas, port, page } = view;
  const { locations, internal, containers } = addresses;
  const warnings = warningsOf(view);
  const unknown = unknownGlobally(addresses);
  const noServer = cron ? ': a cron workload, so nothing answers at these addresses' : '';
  const head = mrkdwn`${titleOf(org, target)}, in ${plural(locations.length, 'location')}${noServer}`;
  const table = replicaTable(target, locations, page);
  return {
    blocks: [
      section(unknown === undefined ? head : mrkdwn`${head}; ${unknown}`),
      ...globally(view),
      ...kind(
        'One location',
        mrkdwn`goes there directly, without load balancing over locations`,
        locations.map(({ host, location }) =>
          host.includes(`.${location}.`) ? copyable(host) : mrkdwn`${copyable(host)} ${location}`,
        ),
      ),
      ...kind(
        'Internal',
        mrkdwn`for workloads of the same org: mutual TLS, and the internal firewall decides`,
        [copyable(internal)],
      ),
      ...kind('Container to container', mrkdwn`inside one replica`, containers.map(copyable)),
      ...(warnings.length === 0 ? [] : [section(joinMrkdwn(warnings, '\n'))]),
      ...(table.blocks.length === 0
        ? []
        : kind(
            'Single replicas',
            mrkdwn`calculated from their number; only for stateful workloads`,
            [],
          )),
      ...table.blocks,
    ],
    notes: notesOf(view).map(({ text }) => text),
    asked: { route: ADDRESSES_ROUTE, question: { org, target, replicas, port }, page: table.page },
    pages: table.pages,
    ...(cron || unknown !== undefined ? {} : { buttons: [probeButton(org, target)] }),
    shareable: true,
    needs: orgRight(org),
  };
}

/** Replaces the global address when one of its parts is missing. */
function unknownGlobally({ missing, alias }: Addresses): Mrkdwn | undefined {
  if (missing.includes('GLOBAL_DOMAIN')) {
    return mrkdwn`its global address is not known: your Purser administrator has to set ${code('GLOBAL_DOMAIN')}`;
  }
  return alias === undefined ? mrkdwn`its global address is not known yet` : undefined;
}

/** An address to be copied is never cut. */
function copyable(address: string): Mrkdwn {
  return code(address, 600);
}

/** The same in a table; other cells are cut where there are many. */
function copyableCell(address: string): Rich {
  return new Rich([{ type: 'text', text: address, style: { code: true } }]);
}

function kind(name: string, use: Mrkdwn, addresses: readonly Mrkdwn[]): KnownBlock[] {
  return lineSections([mrkdwn`*${name}* – ${use}`, ...addresses]);
}

function replicaTable(target: WorkloadTarget, locations: Addresses['locations'], page: number) {
  const rows = locations.flatMap((place) => {
    const { replicas } = place;
    // Without an index where their number is not known.
    const indexes =
      replicas === undefined ? [undefined] : Array.from({ length: replicas }, (_, index) => index);
    return indexes.map((index) => ({ place, index }));
  });
  return listed({
    caption: `Addresses of single replicas of ${nameOf(target)}`,
    columns: [
      { title: 'Location', of: ({ place }) => place.location },
      { title: 'Replica', of: ({ index }) => (index === undefined ? '–' : new Numeric(index)) },
      { title: 'From outside', of: ({ place, index }) => copyableCell(place.replica(index)) },
      { title: 'Internal', of: ({ place, index }) => copyableCell(place.internalReplica(index)) },
    ],
    rows,
    page,
  });
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

/** The recommended address comes first: the one with the prefix, if the org has one. */
function globally({ org, addresses: { canonical, canonicalWithPrefix } }: AddressesView) {
  const { host, known } = canonicalWithPrefix;
  const use = mrkdwn`for clients anywhere: balanced over all locations, TLS ends at the platform`;
  const plain = known ? mrkdwn`without the org’s prefix: the default form` : use;
  const prefixed = known
    ? use
    : mrkdwn`for orgs that have one; ${code('ORG_ENDPOINT_PREFIXES')} names none for ${org}`;
  const both = [
    kind('Canonical with org prefix', prefixed, [copyable(host)]),
    kind('Canonical', plain, [copyable(canonical)]),
  ];
  return (known ? both : both.toReversed()).flat();
}

/** The first line covers the global domain. */
const VARIABLES = {
  LOCATION_DOMAIN: '{location_domain}',
  INTERNAL_DOMAIN: '{internal_domain}',
} as const;

function warningsOf({ addresses, target, skipped }: AddressesView): Mrkdwn[] {
  const warnings = addresses.missing
    .filter((name) => name !== 'GLOBAL_DOMAIN')
    .map(
      (name) =>
        mrkdwn`⚠ ${code(VARIABLES[name])} is not known: your Purser administrator has to set ${code(name)}`,
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
  return [...warnings, ...leftOut(skipped, 'deployment')];
}

function notesOf({ replicas, port, addresses: { locations } }: AddressesView): Mrkdwn[] {
  const idle = locations.filter((one) => one.replicas === 0).length;
  return [
    ...(idle > 0 ? [mrkdwn`No replicas now in ${plural(idle, 'location')}`] : []),
    mrkdwn`The indexes of replicas begin at 0. Their internal addresses are for peers, where ${code('replicaDirect')} is enabled`,
    mrkdwn`Custom domains are in the status of the workload, with an endpoint for each domain route; Purser cannot read them`,
    ...(replicas === undefined
      ? [mrkdwn`For another number of replicas add ${code('replicas=3')}`]
      : []),
    ...(port === undefined ? [mrkdwn`For ${code('<port>')} add ${code('port=8080')}`] : []),
  ];
}
