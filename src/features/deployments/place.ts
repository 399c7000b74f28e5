import type { Button } from '@slack/types';
import { orgRight } from '../../access/policy.ts';
import type { Scope } from '../../rollouts/watches.ts';
import {
  placeValue,
  readPlaceValue,
  type Orgs,
  type Target,
} from '../../platform/deployments/target.ts';
import { button } from '../../slack/kit/blocks.ts';
import { code, mentionChannel, mrkdwn, type Mrkdwn } from '../../slack/kit/text.ts';
import { RUN_ACTION } from '../../slack/replies/help-view.ts';

/** Value of a button; for the first page it equals the plain place value. @param page from 1 on */
export function pageValue(org: string, target: Target, page: number): string {
  return `${placeValue(org, target)}${page === 1 ? '' : `#${page}`}`;
}

export function runValue(org: string, target: Target, name: string): string {
  return `${placeValue(org, target)}@${name}`;
}

/** Reads a value from {@link pageValue} or {@link runValue}. @throws Refusal for any other text */
export function readPageValue(
  value: string | undefined,
  orgs: Orgs,
): { org: string; target: Target; page: number; run: string | undefined } {
  const [, place, page = '1', run] = /^(.*?)(?:#(\d{1,6})|@(.*))?$/s.exec(value ?? '') ?? [];
  return { ...readPlaceValue(place, orgs), page: Number(page), run };
}

/** The channel that an answer is about. */
export interface Where {
  channel: string;
  /** The person is in this channel now. */
  here: boolean;
  defaultOrg: string | undefined;
}

/** "/deployments unwatch shop/cart org beta" */
function commandText(verb: string, { org, gvc, workload }: Scope, { defaultOrg }: Where): string {
  const name = gvc === undefined ? '' : ` ${gvc}${workload === undefined ? '' : `/${workload}`}`;
  const inOrg = org === undefined || (org === defaultOrg && gvc !== undefined) ? '' : ` org ${org}`;
  return `/deployments ${verb}${name}${inOrg}`;
}

/** Another channel's command has to be typed there: only members know its name. */
export function commandOf(verb: string, scope: Scope, where: Where): Mrkdwn {
  const command = code(commandText(verb, scope, where), Infinity);
  return where.here ? command : mrkdwn`${command}, typed in ${mentionChannel(where.channel)},`;
}

/** As a button runs it, from wherever it is pressed. */
export function runText(verb: string, scope: Scope, where: Where): string {
  return `${commandText(verb, scope, where)}${where.here ? '' : ` in <#${where.channel}>`}`;
}

const ENDS = {
  unwatch: { text: 'Unwatch', title: 'End this watch?' },
  'mute off': { text: 'Unmute', title: 'End this mute?' },
};

/** Ends the watch or the mute of a scope at once. @param name where another button ends another one */
export function endButton(verb: keyof typeof ENDS, scope: Scope, where: Where, name = ''): Button {
  const text = `${ENDS[verb].text}${name}`;
  return button({ action: RUN_ACTION, text, value: runText(verb, scope, where) });
}

/** The same in the row of a list, once confirmed. */
export function endRowButton(verb: keyof typeof ENDS, scope: Scope, where: Where): Button {
  const { text, title } = ENDS[verb];
  const confirm = { title, question: 'For everyone in the channel.', yes: text, no: 'Cancel' };
  return button({ action: RUN_ACTION, text, value: runText(verb, scope, where), confirm });
}

/** The right that an answer about these places needs. */
export function rightOf(scopes: readonly Scope[]): string {
  return orgRight(...new Set(scopes.flatMap(({ org }) => org ?? [])));
}
