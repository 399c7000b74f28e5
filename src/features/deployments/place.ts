import type { Scope } from '../../rollouts/watches.ts';
import {
  placeValue,
  readPlaceValue,
  type Orgs,
  type Target,
} from '../../platform/deployments/target.ts';
import { code, mentionChannel, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';

export interface PageOptions {
  /** From 1 on. */
  page: number;
  /** With what is hidden at first: runs of ad-hoc commands, green workloads. */
  all: boolean;
}

/** Value of a button; for the first page without `all` it equals the plain place value. */
export function pageValue(org: string, target: Target, { page, all }: PageOptions): string {
  return `${placeValue(org, target)}${page === 1 ? '' : `#${page}`}${all ? '+all' : ''}`;
}

/** Reads a value from {@link pageValue}. @throws Refusal for any other text */
export function readPageValue(
  value: string | undefined,
  orgs: Orgs,
): PageOptions & { org: string; target: Target } {
  const [, place, page = '1', all] = /^(.*?)(?:#(\d{1,6}))?(\+all)?$/s.exec(value ?? '') ?? [];
  return { ...readPlaceValue(place, orgs), page: Number(page), all: all !== undefined };
}

/** " org beta"; empty for the default org. */
export function orgWords(org: string, defaultOrg: string | undefined): string {
  return org === defaultOrg ? '' : ` org ${org}`;
}

export interface SuggestedCommand {
  scope: Scope;
  channel: string;
  /** `channel` is the one where the person is. */
  here: boolean;
  defaultOrg: string | undefined;
}

/** Another channel's command has to be typed there: only members know its name. */
export function commandOf(verb: string, about: SuggestedCommand): Mrkdwn {
  const { scope, channel, here, defaultOrg } = about;
  const { org, gvc, workload } = scope;
  const name = gvc === undefined ? '' : ` ${gvc}${workload === undefined ? '' : `/${workload}`}`;
  const inOrg = org === undefined || (org === defaultOrg && gvc !== undefined) ? '' : ` org ${org}`;
  const command = code(`/deployments ${verb}${name}${inOrg}`, Infinity);
  return here ? command : mrkdwn`${command}, typed in ${mentionChannel(channel)},`;
}
