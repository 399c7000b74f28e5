import type { Scope } from '../../rollouts/watches.ts';
import {
  placeValue,
  readPlaceValue,
  type Orgs,
  type Target,
} from '../../platform/deployments/target.ts';
import { code, mentionChannel, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';

/** Which part of an answer about a place is shown. */
export interface PageOptions {
  /** From 1 on. */
  page: number;
  /** With what is left out at first: the runs of ad-hoc commands, workloads that are as they should be. */
  all: boolean;
}

/** The value of a button that leads to such a part; for the first page without more it is that of the place. */
export function pageValue(org: string, target: Target, { page, all }: PageOptions): string {
  return `${placeValue(org, target)}${page === 1 ? '' : `#${page}`}${all ? '+all' : ''}`;
}

/** Reads what {@link pageValue} wrote, also in an earlier release. @throws Refusal for any other text */
export function readPageValue(
  value: string | undefined,
  orgs: Orgs,
): PageOptions & { org: string; target: Target } {
  const [, place, page = '1', all] =
    /^(.*?)(?:#(\d{1,6}))?(\+all|\+ad-hoc)?$/s.exec(value ?? '') ?? [];
  return { ...readPlaceValue(place, orgs), page: Number(page), all: all !== undefined };
}

/** " org beta", as a command needs it; nothing for the default org. */
export function orgWords(org: string, defaultOrg: string | undefined): string {
  return org === defaultOrg ? '' : ` org ${org}`;
}

/** What a command is about that an answer tells people to type. */
export interface SuggestedCommand {
  scope: Scope;
  channel: string;
  /** It is about the channel where the person is. */
  here: boolean;
  /** The org that need not be named. */
  defaultOrg: string | undefined;
}

/** The command for a place, and where it is to be typed: of another channel only its members know the name. */
export function commandOf(verb: string, about: SuggestedCommand): Mrkdwn {
  const { scope, channel, here, defaultOrg } = about;
  const { org, gvc, workload } = scope;
  const name = gvc === undefined ? '' : ` ${gvc}${workload === undefined ? '' : `/${workload}`}`;
  const inOrg = org === undefined || (org === defaultOrg && gvc !== undefined) ? '' : ` org ${org}`;
  const command = code(`/deployments ${verb}${name}${inOrg}`, Infinity);
  return here ? command : mrkdwn`${command}, typed in ${mentionChannel(channel)},`;
}
