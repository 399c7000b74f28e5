import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Listing } from '../../../../src/platform/billing/calls.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import * as fc from '../../../support/fast-check.ts';
import { ALL_CALLS, type Clients, type Known } from '../calls.ts';
import { startClients } from '../clients.ts';
import { outcomeOf } from '../support.ts';
import { packed, shortened, spoil, spoiling, type Spoiling } from './mutations.ts';
import {
  anything,
  createIntact,
  readSent,
  rowsOf,
  some,
  TOO_DEEP,
  UNREADABLE,
  type Intact,
  type Rule,
} from './rules.ts';
import { startTape, type Said } from './tape.ts';

/** The answers of one call. */
interface Sent {
  /** As documents, in the order in which they were asked for. */
  readonly documents: readonly unknown[];
  readonly answers: readonly Said[];
  readonly isIntact: Intact;
}

/** Whether the result of a call agrees with the answers. */
export type Oracle = (shown: unknown, sent: Sent) => boolean;

/** An oracle by the last answer of a call. */
export function ofAnswer<Shown>(rule: Rule<Shown>): Oracle {
  return (shown, { documents, isIntact }) => rule(shown as Shown, documents.at(-1), isIntact);
}

/** An oracle of the rows of a list, on as many pages as it had; hidden rows are counted. */
export function ofRows<Row>(rule: Rule<Row>, ...wrappers: string[]): Oracle {
  return (shown, { documents, isIntact }) => {
    const { items, skipped } = shown as Listing<Row>;
    const pages = documents.map((page) => rowsOf(page, ...wrappers));
    const rows = pages.flatMap((page) => page ?? []);
    const list = Array.isArray(documents[0]) ? '' : (wrappers[0] ?? '');
    const isComplete = !pages.includes(undefined) && items.length + skipped === rows.length;
    return isComplete && some(rule, list)(items, rows, isIntact);
  };
}

type Part = 'money' | 'records' | 'deployments';

/** How often each part is answered with something spoiled; the money matters most. */
const SHARES: Readonly<Record<Part, number>> = {
  money: 20_000,
  records: 6_000,
  deployments: 4_000,
};

const THIN = 2;

function partOf(call: string): Part {
  if (call.startsWith('deployments.')) return 'deployments';
  return /^usage|charges|Invoice|PaymentLinks/.test(call) ? 'money' : 'records';
}

/**
 * Tests that no call of a part hangs or throws past the client, whatever the answer: its share of spoiled
 * answers, and true ones; nor returns anything that was not sent, where it has an oracle.
 */
export function tryAnswers(part: Part, oracles: Readonly<Record<string, Oracle>> = {}) {
  const names = Object.keys(ALL_CALLS).filter((name) => partOf(name) === part);
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench(names);
  }, 60_000);
  afterAll(() => bench.close());

  test.each(names)('a true answer is read: %s', async (name) => {
    const { fault, isShown } = await bench.give(name, oracles[name] ?? anything);

    expect({ fault, isShown }).toEqual({ fault: undefined, isShown: true });
  });

  const runs = fc.runsOf(SHARES[part], THIN);

  test(`of ${runs} spoiled answers none shows ${part} that were not sent, hangs or throws past the client`, async () => {
    let [served, shown] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), spoiling, async (name, spoiled) => {
        const outcome = await bench.give(name, oracles[name] ?? anything, spoiled);
        served += outcome.served;
        shown += outcome.isShown ? 1 : 0;
        if (outcome.fault !== undefined) throw new Error(outcome.fault);
      }),
      { numRuns: SHARES[part], thin: THIN },
    );

    expect(served).toBeGreaterThanOrEqual(runs);
    // Neither all refused nor all taken: both sides of the client are reached.
    expect(shown).toBeGreaterThan(runs / 4);
    expect(shown).toBeLessThan(runs);
  });
}

type Bench = Awaited<ReturnType<typeof openBench>>;

/** Clients of true answers of a stand-in to these calls, taken once. */
async function openBench(names: readonly string[]) {
  const platform = createSandboxPlatform({ now: () => Date.parse('2026-10-15T12:00:00Z') });
  await platform.listen();
  await fetch(`${platform.url}/_sandbox/page-size`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: 8 }),
  });
  const tape = await startTape(platform.url);
  const clients = startClients(tape.url, { limits: { attempts: 1, totalMs: 10_000 } });
  const known = await lookUp(clients);
  const recordings = new Map<string, { answers: readonly Said[]; isIntact: Intact }>();
  for (const name of names) {
    const answers = (await tape.record(() => ALL_CALLS[name]!(clients, known))).map(shortened);
    const isIntact = createIntact(answers.map(({ body }) => readSent(body)));
    recordings.set(name, { answers, isIntact });
  }
  await platform.close();

  return {
    /** Answers a call with the recording, spoiled or not, and returns the fault of its result. */
    async give(name: string, oracle: Oracle, spoiled?: Spoiling) {
      const { answers: recorded, isIntact } = recordings.get(name)!;
      const answers = spoiled ? spoil(recorded, spoiled) : recorded;
      const packing = (!name.endsWith('Pdf') && spoiled?.packing) || 'none';
      tape.replay(answers.map((said) => packed(said, packing)));
      const outcome = await outcomeOf(ALL_CALLS[name]!(clients, known));
      const { served } = tape;
      if ('error' in outcome) return { fault: faultOf(outcome.error), isShown: false, served };

      const given = Array.from({ length: served }, (_, at) => answers[at] ?? answers.at(-1)!);
      const documents = given.map(({ body }) =>
        spoiled?.packing === 'broken'
          ? UNREADABLE
          : readSent(body, name.startsWith('deployments.')),
      );
      const shown = valueOf(outcome.value);
      const isSaid =
        documents.includes(TOO_DEEP) || oracle(shown, { documents, answers: given, isIntact });
      const fault = () =>
        `${name}: of ${String(given.at(-1)?.body)} this was shown: ${JSON.stringify(shown)}`;
      return { fault: isSaid ? undefined : fault(), isShown: true, served };
    },
    close: async () => {
      await clients.close();
      await tape.close();
    },
  };
}

/** Every answer came at once, so a call that waited for one hung. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return `thrown past the client: ${String(error)}`;
  const isHung = error.reason === 'timeout' || error.reason === 'unreachable';
  return isHung ? `hung: ${error.message}` : undefined;
}

/** The value of a cached reading. */
function valueOf(result: unknown): unknown {
  const isReading = typeof result === 'object' && result !== null && 'readAt' in result;
  return isReading && 'value' in result ? result.value : result;
}

/** An invoice with credits, a token that is not the client's own, and a recipient. */
async function lookUp({ billing }: Clients): Promise<Known> {
  const range = { start: '2024-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };
  const invoices = (await billing.listInvoices(range)).value.items;
  const tokens = (await billing.listTokens()).value.items;
  const recipients = (await billing.listRecipients()).value.items;
  return {
    invoiceId: invoices.find(({ credits }) => credits.length > 0)!.id,
    tokenId: tokens.find(({ roles }) => !roles.includes('billing_admin'))!.id,
    recipientId: recipients[0]!.id,
  };
}
