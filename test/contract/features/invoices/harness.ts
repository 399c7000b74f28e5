import { buffer } from 'node:stream/consumers';
import { BigNumber } from 'bignumber.js';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Config } from '../../../../src/config/config.ts';
import { createInvoicesFeature } from '../../../../src/features/invoices/feature.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import type { Upload } from '../../../../src/slack/files.ts';
import { visitorOf } from '../../../support/answer.ts';
import { keptHere } from '../../../support/kept.ts';
import { ALWAYS, MAIN, startBilling } from '../../platform/billing/support.ts';

interface Sent extends Omit<Upload, 'content'> {
  readonly bytes: Buffer;
}

/** An invoice as the platform writes it; amounts here are small enough for any number. */
export interface Written {
  readonly id: string;
  readonly number: number;
  readonly totalCharge: number;
  readonly status: string;
  readonly startTime: string;
  readonly periods: { readonly items: { org: string; charge: number; description: string }[] }[];
  readonly credits?: { readonly charge: number; readonly description: string }[];
}

/** `/invoices` on the stand-in of the platform, with a pretended Slack. */
export async function startInvoices(
  changes: Partial<Parameters<typeof createInvoicesFeature>[0]> = {},
) {
  const standing = await startBilling();
  const client = standing.client();
  const kept = changes.kept ?? keptHere();
  const sent: Sent[] = [];
  const asked: string[] = [];
  const person = { roles: ['billing_admin'] };
  const feature = createInvoicesFeature({
    billing: () => client,
    access: {
      requireRole: async (_person, roles) => {
        asked.push(roles.join(' '));
        if (!roles.some((role) => person.roles.includes(role))) throw new Refusal('not for you');
      },
    } as Authorizer,
    config: { currency: 'USD' } as Config,
    kept,
    sendFile: async ({ content, ...upload }) => {
      const parts = typeof content === 'string' ? [Buffer.from(content)] : content;
      sent.push({ ...upload, bytes: await buffer(parts as AsyncIterable<Uint8Array>) });
      return 'https://files.slack.com/permalink';
    },
    clock: standing.platform.clock,
    ...changes,
  });

  return {
    standing,
    client,
    sent,
    asked,
    person,
    ...visitorOf(feature, { userId: 'U0ADA', teamId: 'T1' }, kept),
    feature,
    /** Every invoice, newest first, with nothing of the bot between. */
    async written() {
      const query = new URLSearchParams(ALWAYS).toString();
      const response = await standing.raw('GET', `account/${MAIN}/charges/invoices?${query}`);
      return ((await response.json()) as { invoices: Written[] }).invoices;
    },
  };
}

/** Cents as "$1,234.56", by other means than the bot's. */
export function dollars(cents: number): string {
  const whole = Math.abs(cents) / 100;
  const text = whole.toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${cents < 0 ? '−' : ''}$${text}`;
}

/** The amount due of an invoice, in cents. */
export function dueOf({ totalCharge, credits = [] }: Written): number {
  return Math.max(
    0,
    credits.reduce((sum, { charge }) => sum + charge, totalCharge),
  );
}

export function linesOf({ periods }: Written) {
  return periods.flatMap(({ items }) => items);
}

/** Adds up "$1,234.56" texts, in cents. */
export function centsIn(texts: readonly string[]): number {
  return texts
    .reduce((sum, text) => sum.plus(text.replace(/[$,]/g, '')), new BigNumber(0))
    .times(100)
    .toNumber();
}
