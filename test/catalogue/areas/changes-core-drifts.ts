import { BigNumber } from 'bignumber.js';
import type { Change } from '../../../src/changes/change.ts';
import { HOUR, MINUTE, NOW } from '../entry.ts';
import { alertOf, isWrite, SILENCE, tokenOf } from './changes-core-books.ts';
import {
  carriedOut,
  ID,
  openChanges,
  type OpenChanges,
  type Setup,
} from './changes-core-office.ts';
import { ADA, BEN, ORDERS } from './changes-feature-data.ts';

const ORDER = ORDERS['alert.replace'];

export const drifted = async (setup: Setup = {}): Promise<Change> => {
  const meanwhile = ({ books }: OpenChanges) => void (books.alert = alertOf({ enabled: false }));
  return (await carriedOut(ORDER, { ...setup, meanwhile })).change;
};

/** Another request for the alert was carried out after the approval. */
async function driftedByRequest(): Promise<Change> {
  const second = 'p7q4w8zt';
  const ids = [ID, second];
  const office = openChanges({ deps: { newId: () => ids.shift() ?? second } });
  await office.ask(ORDER);
  await office.ask({ ...ORDER, amount: 700 }, BEN);
  office.clock.at += 8 * MINUTE;
  await office.approve();
  await office.approve(ADA, second);
  office.clock.at += MINUTE;
  await office.work(second);
  office.clock.at += MINUTE;
  return office.work();
}

/** Another request for the alert was sent after the approval, and its outcome is unknown. */
async function driftedByDoubt(made = 700): Promise<Change> {
  const second = 'p7q4w8zt';
  const ids = [ID, second];
  let isSilent = true;
  const office = openChanges({
    askedAgo: 40 * MINUTE,
    deps: { newId: () => ids.shift() ?? second },
    troubles: (call, before) =>
      isSilent && [call, ...before].some(isWrite) ? { refused: SILENCE } : undefined,
  });
  await office.ask(ORDER);
  await office.ask({ ...ORDER, amount: 700 }, BEN);
  office.clock.at += 8 * MINUTE;
  await office.approve(ADA, second);
  const workFor = async (ms: number): Promise<void> => {
    for (const end = office.clock.at + ms; office.clock.at < end;) {
      office.clock.at += 10_000;
      await office.work(second);
    }
  };
  await workFor(10 * MINUTE);
  isSilent = false;
  await office.approve();
  isSilent = true;
  await workFor(10 * MINUTE);
  isSilent = false;
  office.books.alert = alertOf({ amount: new BigNumber(made) });
  return office.work();
}

/** The alert had fired when it was approved, and is another one by now, with the same amount. */
async function driftedUnfired(): Promise<Change> {
  const office = openChanges({ books: { alert: alertOf({ lastTriggered: NOW - 2 * HOUR }) } });
  await office.ask(ORDER);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  office.books.alert = alertOf();
  return office.work();
}

/** Only the last word of the token's description has changed. */
async function driftedAtTheEnd(): Promise<Change> {
  const text = (end: string) =>
    `Reads the invoices every night for the reports of the finance team, as agreed in the meeting, for ${end}`;
  const order = ORDERS['token.delete'];
  const tokens = (end: string) => [tokenOf(order.tokenId, 'ci', { description: text(end) })];
  const office = openChanges({ books: { tokens: tokens('billing') } });
  await office.ask(order);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  office.books.tokens = tokens('payments');
  return office.work();
}

/** The platform has raised a quota meanwhile. */
async function driftedQuota(): Promise<Change> {
  const office = openChanges();
  await office.ask(ORDERS['quota.request']);
  office.clock.at += 10 * MINUTE;
  await office.approve();
  const [quota] = office.books.quotas;
  if (quota === undefined) throw new Error('there is no quota');
  office.books.quotas = [new Map([...quota, ['max', '60']])];
  return office.work();
}

/** No one has to approve, and the alert was switched off before the call. */
async function driftedUnasked(): Promise<Change> {
  const office = openChanges({ deps: { approvals: { required: false, allowSelf: false } } });
  await office.ask(ORDER);
  office.books.alert = alertOf({ enabled: false });
  return office.work();
}

/** The ways in which the state can differ from the approved one. */
export const DRIFTS: readonly [name: string, when: string, make: () => Promise<Change>][] = [
  ['drifted', 'Another person has switched the alert off since it was approved.', drifted],
  [
    'drifted-by-request',
    'Another request for the alert was carried out since it was approved.',
    driftedByRequest,
  ],
  [
    'drifted-by-doubt',
    'Another request for exactly the current state was sent, and its outcome is unknown.',
    driftedByDoubt,
  ],
  [
    'drifted-unknown',
    'Another request was sent, and something else than it asked for is there now.',
    () => driftedByDoubt(900),
  ],
  [
    'drifted-unfired',
    'The alert had fired when it was approved, and is a new one with the same amount.',
    driftedUnfired,
  ],
  [
    'drifted-at-the-end',
    'The long description of a token has another word at its end.',
    driftedAtTheEnd,
  ],
  ['drifted-quota', 'The platform has raised the quota a little since the approval.', driftedQuota],
  [
    'drifted-unasked',
    'Here no change takes an approval, and the alert was switched off before the call.',
    driftedUnasked,
  ],
];
