import { Refusal, UsageError } from '../../lib/errors.ts';
import { truncate } from '../../lib/text.ts';
import { isAbsence } from '../errors.ts';
import type { DeploymentsClient } from './client.ts';
import type { DeploymentList } from './deployment.ts';

export interface Orgs {
  known: readonly string[];
  fallback: string | undefined;
}

/**
 * The named org, or else the only or default one.
 * @param usage of the command, if it is not the first one of its help
 * @throws UsageError, Refusal
 */
export function resolveOrg(named: string | undefined, orgs: Orgs, usage?: string): string {
  const org = named ?? orgs.fallback;
  if (org === undefined) {
    const error = new UsageError(
      `There are several orgs: add "org NAME", one of ${orgs.known.join(', ')}.`,
    ).withExample(`org ${orgs.known[0] ?? 'NAME'}`);
    throw usage === undefined ? error : error.about(usage);
  }
  if (!orgs.known.includes(org)) {
    throw new Refusal(
      `Purser has no key for org ${truncate(org, 60)}: name one that it knows, ${orgs.known.join(', ')}.`,
    );
  }
  return org;
}

/** " org beta" for a command; empty for the default org. */
export function orgWords(org: string, defaultOrg: string | undefined): string {
  return org === defaultOrg ? '' : ` org ${org}`;
}

export const RESOURCE_NAME = /^\w[\w.-]{0,127}$/;

export const RESOURCE_NAME_RULE = 'letters, digits, dots, dashes and underscores';

/** Absent parts mean all. */
export interface Target {
  gvc: string;
  workload?: string | undefined;
  location?: string | undefined;
}

/** `GVC[/WORKLOAD[/LOCATION]]`; a trailing slash allows a GVC named like a subcommand. */
export function readTarget(text: string): Target {
  const parts = text.replace(/\/$/, '').split('/');
  const [gvc, workload, location] = parts;
  if (parts.length > 3 || parts.some((part) => !RESOURCE_NAME.test(part)) || gvc === undefined) {
    const meant = parts.filter((part) => part !== '');
    const isMeant = meant.length > 0 && meant.every((part) => RESOURCE_NAME.test(part));
    throw new UsageError(
      `"${truncate(text, 60)}" is not a GVC[/WORKLOAD[/LOCATION]]: names are ${RESOURCE_NAME_RULE}, divided by slashes.`,
      isMeant ? meant.slice(0, 3).join('/') : undefined,
    );
  }
  return {
    gvc,
    workload,
    location,
  };
}

/** Of a workload in all its locations, or a GVC. @throws UsageError */
export function readWidely(text: string): Target {
  const { location, ...wider } = readTarget(text);
  if (location === undefined) return wider;
  throw new UsageError('This is about a workload in all its locations.', nameOf(wider));
}

/** @throws UsageError for a whole GVC */
export function readWorkloadOf(text: string): Target & { workload: string } {
  const { workload, ...place } = readTarget(text);
  if (workload !== undefined) return { ...place, workload };
  const name = truncate(place.gvc, 40);
  throw new UsageError(`\`${name}\` is a GVC: write ${name}/WORKLOAD.`);
}

/** `GVC/WORKLOAD/LOCATION`, without absent parts. */
export function nameOf({ gvc, workload, location }: Target): string {
  return [gvc, workload, location].filter((part) => part !== undefined).join('/');
}

/**
 * The value of a button: `org/gvc[/workload[/location]]`. It is neither a secret nor a permission: a click is
 * authorized like a typed command.
 */
export function placeValue(org: string, target: Target): string {
  return `${org}/${nameOf(target)}`;
}

/** @throws Refusal for any text not written by {@link placeValue} */
export function readPlaceValue(
  value: string | undefined,
  orgs: Orgs,
): { org: string; target: Target } {
  const slash = value?.indexOf('/') ?? -1;
  if (value === undefined || slash < 1) throw new Refusal(NO_PLACE);
  const org = resolveOrg(value.slice(0, slash), orgs);
  try {
    return { org, target: readTarget(value.slice(slash + 1)) };
  } catch (error) {
    throw error instanceof UsageError ? new Refusal(NO_PLACE) : error;
  }
}

const NO_PLACE =
  'This button names no place that Purser knows: type the command instead, /deployments help shows how.';

/** `skipped`: items that could not be read. */
export interface TargetedList extends DeploymentList {
  skipped: number;
}

/**
 * Reads the deployments of a GVC or workload; of a location all of its workload, whose impact is of all its
 * locations.
 * @param absent a better answer for an unknown place, if it has one
 * @throws Refusal, or the error of `absent`, for an unknown place; PlatformError
 */
export async function readTargeted(
  { deployments: client, stopping }: { deployments: DeploymentsClient; stopping: AbortSignal },
  org: string,
  target: Target,
  absent: () => Promise<Error | undefined> = () => Promise.resolve(undefined),
): Promise<TargetedList> {
  const { gvc, workload } = target;
  const options = { signal: stopping };
  try {
    const list =
      workload === undefined
        ? await client.listGvc(org, gvc, options)
        : await client.listWorkload(org, gvc, workload, options);
    return { ...list, skipped: list.unreadable.length + list.unidentified };
  } catch (error) {
    if (!isAbsence(error)) throw error;
    throw (await absent()) ?? unknownPlace(org, target);
  }
}

function unknownPlace(org: string, target: Target): Refusal {
  return new Refusal(
    `There is no ${nameOf(target)} in org ${org}, or Purser’s key may not view it: check the spelling, or name another org with "org NAME".`,
  );
}
