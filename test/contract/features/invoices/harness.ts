import { BigNumber } from 'bignumber.js';
import { expect } from 'vitest';
import type { Authorizer } from '../../../../src/access/authorizer.ts';
import type { Config } from '../../../../src/config/config.ts';
import { createInvoicesFeature } from '../../../../src/features/invoices/feature.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { splitWords } from '../../../../src/lib/text.ts';
import type { Upload } from '../../../../src/slack/files/upload.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { typeWords } from '../../../support/command.ts';
import { ALWAYS, MAIN, startBilling } from '../../platform/billing/support.ts';
import type { Standing } from '../../platform/billing/support.ts';

const ADA = { userId: 'U0ADA', teamId: 'T1' };

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
  const kept = new Map<string, unknown>();
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
    interactions: {
      put: async (userId, thing) => {
        const id = `kept-${kept.size}`;
        kept.set(`${userId} ${id}`, JSON.parse(JSON.stringify(thing)));
        return id;
      },
      get: async (userId, id) => kept.get(`${userId} ${id}`),
    },
    sendFile: async ({ content, ...upload }) => {
      const chunks: Uint8Array[] = [];
      const parts = typeof content === 'string' ? [Buffer.from(content)] : content;
      for await (const chunk of parts as AsyncIterable<Uint8Array>) chunks.push(chunk);
      sent.push({ ...upload, bytes: Buffer.concat(chunks) });
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
    kept,
    person,
    /** Types what stands after `/invoices`. */
    async type(text: string): Promise<Answer> {
      const split = splitWords(text);
      const words = 'words' in split ? split.words : [];
      return typeWords(feature.commands![0]!, words, { person: ADA, channelId: 'C1' });
    },
    /** Presses a button of an answer, or chooses from its menu. */
    async press(answer: Answer, text: string, choice?: string): Promise<Answer | undefined> {
      const elements = [...(answer.controls ?? []), answer.buttons ?? []].flat();
      const element = elements.find((one) => JSON.stringify(one).includes(`"text":"${text}"`));
      expect(element?.action_id).toBeDefined();
      const route = feature.actions?.find(({ actionId }) => actionId === element?.action_id);
      const value = choice ?? (element as { value?: string }).value;
      return route!.run({ person: ADA, channelId: 'C1', value });
    },
    feature,
    written: async () => writtenBy(standing),
  };
}

/** Every invoice, newest first, with nothing of the bot between. */
async function writtenBy(standing: Standing): Promise<Written[]> {
  const query = new URLSearchParams(ALWAYS).toString();
  const response = await standing.raw('GET', `account/${MAIN}/charges/invoices?${query}`);
  return ((await response.json()) as { invoices: Written[] }).invoices;
}

/** Rows of the table without its header. */
export function rowsOf({ blocks }: Answer): string[][] {
  const table = blocks.find((block) => block.type === 'table');
  const rows = (table as { rows: { text: string }[][] } | undefined)?.rows ?? [];
  return rows.slice(1).map((row) => row.map(({ text }) => text));
}

/** Everything that is said beside the table. */
export function wordsOf({ blocks }: Answer): string {
  return blocks
    .filter((block) => block.type !== 'table')
    .map((block) => JSON.stringify(block))
    .join('\n');
}

/** Cents as "$1,234.56", by other means than the bot's. */
export function dollars(cents: number): string {
  const whole = Math.abs(cents) / 100;
  const text = whole.toLocaleString('en-US', { minimumFractionDigits: 2 });
  return `${cents < 0 ? '-' : ''}$${text}`;
}

/** What is to be paid of an invoice, in cents. */
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
