import { Refusal, Unreadable } from '../../lib/refusal.ts';
import { truncate } from '../../lib/text.ts';
import { RESOURCE_NAME, RESOURCE_NAME_RULE } from '../../rollouts/watches.ts';
import type { Watch } from '../../rollouts/watches.ts';

/** What is looked at; absent parts mean all. */
export interface Target {
  gvc: string;
  workload?: string;
  location?: string;
}

/** The orgs that there is a key for, and the one that is meant where none is named. */
export interface Orgs {
  known: readonly string[];
  fallback: string | undefined;
}

/** Where watches and mutes are set; what is absent holds everything. */
export type Scope = Partial<Pick<Watch, 'org' | 'gvc' | 'workload'>>;

/** `GVC[/WORKLOAD[/LOCATION]]`; an empty last part is the way to write a GVC named like a subcommand. */
export function readTarget(text: string): Target {
  const parts = text.replace(/\/$/, '').split('/');
  const [gvc, workload, location] = parts;
  if (parts.length > 3 || parts.some((part) => !RESOURCE_NAME.test(part)) || gvc === undefined) {
    throw new Unreadable(
      `"${short(text)}" is no GVC[/WORKLOAD[/LOCATION]]: names are ${RESOURCE_NAME_RULE}, divided by slashes.`,
    );
  }
  return {
    gvc,
    ...(workload === undefined ? {} : { workload }),
    ...(location === undefined ? {} : { location }),
  };
}

/**
 * The org that is meant: the named one, or the only or default one.
 * @throws Unreadable, Refusal
 */
export function settleOrg(named: string | undefined, orgs: Orgs): string {
  const org = named ?? orgs.fallback;
  if (org === undefined) {
    throw new Unreadable(
      `There are several orgs: add "org NAME", one of ${orgs.known.join(', ')}.`,
    );
  }
  if (!orgs.known.includes(org)) {
    throw new Refusal(
      `Purser has no key for org ${short(org)}: name one that it knows, ${orgs.known.join(', ')}.`,
    );
  }
  return org;
}

/** `GVC/WORKLOAD/LOCATION` as far as they are there. */
export function nameOf({ gvc, workload, location }: Target): string {
  return [gvc, workload, location].filter((part) => part !== undefined).join('/');
}

/**
 * What a button carries: `org/gvc[/workload[/location]]`. That is neither a secret nor a right, and who
 * clicks is checked as if they had typed the command.
 */
export function placeValue(org: string, target: Target): string {
  return `${org}/${nameOf(target)}`;
}

/** A part of what there is to see of a place. */
export interface Part {
  /** From 1 on. */
  page: number;
  /** With the runs of ad-hoc commands. */
  adHoc: boolean;
}

/** The value of a button that leads to a part of what a place has; of the usual first page that of the place. */
export function partValue(org: string, target: Target, { page, adHoc }: Part): string {
  const part = `${page === 1 ? '' : `#${page}`}${adHoc ? '+ad-hoc' : ''}`;
  return `${placeValue(org, target)}${part}`;
}

/** Reads what {@link partValue} wrote. @throws Refusal for any other text */
export function readPartValue(
  value: string | undefined,
  orgs: Orgs,
): Part & { org: string; target: Target } {
  const [, place, page = '1', adHoc] = /^(.*?)(?:#(\d{1,6}))?(\+ad-hoc)?$/s.exec(value ?? '') ?? [];
  return { ...readPlaceValue(place, orgs), page: Number(page), adHoc: adHoc !== undefined };
}

/** The place of a button, as {@link placeValue} wrote it. @throws Refusal for any other text */
export function readPlaceValue(
  value: string | undefined,
  orgs: Orgs,
): { org: string; target: Target } {
  const slash = value?.indexOf('/') ?? -1;
  if (value === undefined || slash < 1) throw new Refusal(NO_PLACE);
  const org = settleOrg(value.slice(0, slash), orgs);
  try {
    return { org, target: readTarget(value.slice(slash + 1)) };
  } catch (error) {
    throw error instanceof Unreadable ? new Refusal(NO_PLACE) : error;
  }
}

const NO_PLACE =
  'This button names no place that Purser knows: type the command instead, /deployments help shows how.';

/** " org beta", as a command needs it; nothing for the org that is meant where none is named. */
export function orgWords(org: string, defaultOrg: string | undefined): string {
  return org === defaultOrg ? '' : ` org ${org}`;
}

/** What a command is about that somebody is told to type. */
export interface Spoken {
  scope: Scope;
  /** The channel that it is about is the one that the person is in. */
  here: boolean;
  /** The org that need not be named. */
  defaultOrg: string | undefined;
}

/** The command for a place, as it would be typed in the same channel. */
export function commandOf(verb: string, { scope, here, defaultOrg }: Spoken): string {
  const { org, gvc, workload } = scope;
  const name = gvc === undefined ? '' : ` ${gvc}${workload === undefined ? '' : `/${workload}`}`;
  const inOrg = org === undefined || (org === defaultOrg && gvc !== undefined) ? '' : ` org ${org}`;
  return `/deployments ${verb}${name}${inOrg}${here ? '' : ' in #channel'}`;
}

/** Whether two scopes have a workload in common. */
export function overlap(one: Scope, other: Scope): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return (
    agree(one.org, other.org) && agree(one.gvc, other.gvc) && agree(one.workload, other.workload)
  );
}

/** A word of a person's, as far as an answer repeats it. */
export function short(word: string): string {
  return truncate(word, 60);
}
