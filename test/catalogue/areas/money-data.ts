import { BigNumber } from 'bignumber.js';
import { createRequestForms } from '../../../src/changes/forms/routes.ts';
import type { Authorizer } from '../../../src/access/authorizer.ts';
import type { Feature } from '../../../src/services.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { splitWords, type Word } from '../../../src/lib/words.ts';
import type { Answer, Person } from '../../../src/slack/routing/routes.ts';
import { NOW } from '../entry.ts';
import { typeWords } from '../../support/command.ts';

export const clock = { now: () => NOW };
export const ADA: Person = { userId: 'U0ADA', teamId: 'T0ACME' };
export const CURRENCY = 'USD';
/** A time in UTC, ms since the epoch: `at('2026-10-01')`. */
export const at = (time: string): number =>
  Date.parse(time.length === 10 ? `${time}T00:00Z` : time);
export const amount = (number: number | string): BigNumber => new BigNumber(number);

/** A value that was read from the platform a moment ago. */
export async function reading<T>(value: T, readAt = NOW): Promise<{ value: T; readAt: number }> {
  return { value, readAt };
}

export async function listing<T>(items: readonly T[], skipped = 0, readAt = NOW) {
  return reading({ items, skipped }, readAt);
}

export async function failing(error: unknown): Promise<never> {
  throw error;
}

/** Who has these roles on the billing account. */
export function holding(...held: readonly string[]) {
  return async (_: unknown, roles: readonly string[]): Promise<void> => {
    if (!roles.some((role) => held.includes(role))) throw new Refusal('not shown');
  };
}

/** Access of a person who has these roles, and may read the orgs. */
export function accessOf(...held: readonly string[]): Authorizer {
  const access: Partial<Authorizer> = {
    requireRole: holding(...held),
    readableOrgs: (_: unknown, orgs: readonly string[]) => Promise.resolve(orgs),
    requireOrgAccess: async () => undefined,
  };
  return access as Authorizer;
}

export const ORGS = { known: ['acme'], fallback: 'acme' };

/** The forms behind the buttons that ask for a change; no one opens them here. */
export const forms = createRequestForms(
  {
    access: undefined as never,
    audience: undefined as never,
    billing: () => failing(new Error('no one asks')) as never,
    config: {
      approvals: { required: true, allowSelf: false },
      channels: { approvals: 'C0APPROVE' },
      currency: CURRENCY,
      secretKey: new Secret('a key'),
    },
    orgs: ORGS,
    clock,
  },
  undefined as never,
  async () => undefined,
);

/** The words of a line, as the router splits them. */
export function wordsOf(text: string): readonly Word[] {
  const split = splitWords(text);
  if ('problem' in split) throw new Refusal(split.problem);
  return split.words;
}

/** The answer to a line such as `/billing users`. */
export async function typed({ commands = [] }: Feature, line: string): Promise<Answer> {
  const [command = '', ...rest] = line.split(' ');
  const route = commands.find(({ help }) => help.command === command);
  if (route === undefined) throw new Error(`${command} is no command of this feature`);
  const words = wordsOf(rest.join(' '));
  return typeWords(route, words, { person: ADA, channelId: 'C0BILLING' });
}

/** The answer to a click. */
export async function clicked({ actions = [] }: Feature, actionId: string): Promise<Answer> {
  const route = actions.find((one) => one.actionId === actionId);
  const given = await route?.run({ person: ADA, channelId: 'C0BILLING', value: 'kept-1' });
  if (given === undefined) throw new Error(`${actionId} answers nothing`);
  return given;
}

/** So many of a thing. */
export function many<T>(count: number, make: (place: number) => T): T[] {
  return Array.from({ length: count }, (_, place) => make(place));
}
