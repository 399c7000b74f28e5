import * as fc from '../../../support/fast-check.ts';
import { afterAll, beforeAll } from 'vitest';

import type { Listing } from '../../../../src/platform/billing/calls.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createSandboxPlatform } from '../../../../src/sandbox/platform/server.ts';
import type { Call, Clients, Known } from './calls.ts';
import { startClients } from './clients.ts';
import { createIntact, isListing } from './listing.ts';
import type { Intact } from './listing.ts';
import { packed, shortened, spoil, spoiling } from './mutations.ts';
import type { Spoiling } from './mutations.ts';
import { readSent, readSentPlain, rowsOf, TOO_DEEP, UNREADABLE } from './sent.ts';
import { startTape } from './tape.ts';
import type { Said, Tape } from './tape.ts';

/** How many spoiled answers each part gives to its client; 50,000 in all. */
export const SHARES = { money: 20_000, records: 18_000, deployments: 12_000 } as const;

/** What the answers of one call said. */
export interface Sent {
  /** As documents, in the order in which they were asked for. */
  readonly documents: readonly unknown[];
  readonly answers: readonly Said[];
  readonly isIntact: Intact;
}

/** Says whether what a call shows is what was sent. */
export type Oracle = (shown: unknown, sent: Sent) => boolean;

/** An oracle of what stands in the last answer of a call. */
export function ofAnswer(
  isSaid: (shown: never, said: unknown, isIntact: Intact) => boolean,
): Oracle {
  return (shown, { documents, isIntact }) => isSaid(shown as never, documents.at(-1), isIntact);
}

/** An oracle of the rows of a list, on as many pages as it had. */
export function ofRows(
  isOf: (row: never, said: unknown) => boolean,
  ...wrappers: string[]
): Oracle {
  return (shown, { documents, isIntact }) => {
    const pages = documents.map((page) => rowsOf(page, ...wrappers));
    const rows = pages.includes(undefined) ? undefined : pages.flatMap((page) => page ?? []);
    const list = Array.isArray(documents[0]) ? '' : (wrappers[0] ?? '');
    return isListing(shown as Listing<never>, rows, isOf, (row) => isIntact(row, list));
  };
}

interface Recording {
  readonly answers: readonly Said[];
  readonly isIntact: Intact;
}

/** Where spoiled answers are tried. */
interface Harness {
  readonly tape: Tape;
  readonly clients: Clients;
  readonly known: Known;
  readonly recordings: Readonly<Record<string, Recording>>;
}

/**
 * True answers of a stand-in to these calls, taken once before the tests of a file.
 * @returns gives each call spoiled answers, and says what was wrong with what came of it
 */
export function prepareTrial(calls: Readonly<Record<string, Call>>) {
  let bench: Harness & { close(): Promise<void> };
  beforeAll(async () => {
    bench = await openHarness(calls);
  }, 60_000);
  afterAll(() => bench.close());

  const tryOne = (name: string, oracle: Oracle, spoiling: Spoiling) => {
    const answers = spoil(bench.recordings[name]!.answers, spoiling);
    const { packing } = spoiling;
    return tryAnswers(bench, calls[name]!, name, { oracle, answers, packing });
  };

  return {
    /** Gives the call its true answers. */
    unspoiled: (name: string, oracle: Oracle) =>
      tryAnswers(bench, calls[name]!, name, {
        oracle,
        answers: bench.recordings[name]!.answers,
        packing: 'none',
      }),
    /**
     * Gives spoiled answers to calls drawn at random, `runs` times, and throws with the counterexample
     * of the first that is told as what it did not say, hangs, or throws past the client.
     * @returns how many answers were served, and in how many runs something was shown
     */
    spoiled: async (oracles: Readonly<Record<string, Oracle>>, runs: number) => {
      const before = bench.tape.replayed;
      let shown = 0;
      const drawn = fc.constantFrom(...Object.keys(calls));
      await fc.assert(
        fc.asyncProperty(drawn, spoiling, async (name, spoiled) => {
          const { fault, isShown } = await tryOne(name, oracles[name]!, spoiled);
          shown += isShown ? 1 : 0;
          if (fault !== undefined) throw new Error(fault);
        }),
        { numRuns: runs },
      );
      return { served: bench.tape.replayed - before, shown };
    },
  };
}

/** What came of a call: what is wrong with it, if anything. */
export interface Outcome {
  readonly fault: string | undefined;
  readonly isShown: boolean;
}

async function tryAnswers(
  { tape, clients, known, recordings }: Harness,
  call: Call,
  name: string,
  {
    oracle,
    answers,
    packing,
  }: { oracle: Oracle; answers: readonly Said[]; packing: Spoiling['packing'] },
): Promise<Outcome> {
  const isFile = name.endsWith('Pdf');
  const packedAnswers = answers.map((said) => packed(said, isFile ? 'none' : packing));
  tape.replay(packedAnswers);
  const before = tape.replayed;
  const outcome = await call(clients, known).then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return { fault: faultOf(outcome.error), isShown: false };

  const read = name.startsWith('deployments.') ? readSentPlain : readSent;
  const served = Array.from(
    { length: tape.replayed - before },
    (_, place) => answers[Math.min(place, answers.length - 1)]!,
  );
  const documents = served.map(({ body }) => (packing === 'broken' ? UNREADABLE : read(body)));
  const shown = valueOf(outcome.value);
  if (documents.includes(TOO_DEEP)) return { fault: undefined, isShown: true };
  const isSaid = oracle(shown, {
    documents,
    answers: served,
    isIntact: recordings[name]!.isIntact,
  });
  const fault = () => `of ${String(served.at(-1)?.body)} this was shown: ${JSON.stringify(shown)}`;
  return { fault: isSaid ? undefined : fault(), isShown: true };
}

/** Every answer came at once, so a call that waited for one hung. */
function faultOf(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) return `thrown past the client: ${String(error)}`;
  const isHung = error.reason === 'timeout' || error.reason === 'unreachable';
  return isHung ? `hung: ${error.message}` : undefined;
}

/** What a remembered reading is about. */
function valueOf(result: unknown): unknown {
  const isReading = typeof result === 'object' && result !== null && 'readAt' in result;
  return isReading && 'value' in result ? result.value : result;
}

async function openHarness(calls: Readonly<Record<string, Call>>) {
  const platform = createSandboxPlatform({ now: () => Date.parse('2026-10-15T12:00:00Z') });
  await platform.listen();
  await fetch(`${platform.url}/_sandbox/page-size`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: 8 }),
  });
  const tape = await startTape(platform.url);
  const clients = startClients(tape.url);
  const known = await lookUp(clients);
  const recordings: Record<string, Recording> = {};
  for (const [name, call] of Object.entries(calls)) {
    const answers = (await tape.record(() => call(clients, known))).map(shortened);
    const documents = answers.map(({ body }) => readSent(body));
    recordings[name] = { answers, isIntact: createIntact(documents) };
  }
  await platform.close();
  return {
    tape,
    clients,
    known,
    recordings,
    close: async () => {
      await clients.close();
      await tape.close();
    },
  };
}

/** An invoice with credits, a token that is not the client's own, and a recipient. */
async function lookUp({ billing }: Clients): Promise<Known> {
  const range = { start: '2024-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };
  const invoices = (await billing.listInvoices(range)).value.items;
  const tokens = (await billing.listTokens()).value.items;
  const recipients = (await billing.listRecipients()).value.items;
  const invoice = invoices.find(({ credits }) => credits.length > 0);
  const token = tokens.find(({ roles }) => !roles.includes('billing_admin'));
  const [recipient] = recipients;
  if (!invoice || !token || !recipient) throw new Error('the stand-in lacks what the calls need');
  return { invoiceId: invoice.id, tokenId: token.id, recipientId: recipient.id };
}
