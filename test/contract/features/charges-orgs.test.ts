import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { startCharges } from './charges-support.ts';

/** Charges of single orgs, which people without the role may see (ORG_CHARGES). */
async function startAsMember() {
  const house = await startCharges();
  Object.assign(house.who, { isReader: false, isMember: true });
  const rowsOf = (at: number) =>
    parse<Record<string, string>>(Buffer.from(house.files[at]?.content as Uint8Array), {
      columns: true,
    });
  return { ...house, rowsOf };
}

it('the file of several orgs says whose each row is, and adds up to the answer', async () => {
  const { ask, press, rowsOf } = await startAsMember();

  const answer = await ask('last month by metric org acme,globex');
  await press(answer, 'CSV');

  const rows = rowsOf(0);
  expect(new Set(rows.map((row) => row['org']))).toEqual(new Set(['acme', 'globex']));
  const sum = rows.reduce((total, row) => total + Number(row['total']), 0);
  expect(answer.said).toContain(
    ` · $${sum.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}, `,
  );
});

it('the tiers of each org are its own, in one billing period', async () => {
  const { ask, press, rowsOf } = await startAsMember();

  const answer = await ask('last month by metric of cpu org acme,globex');
  const detail = await press(answer, 'Tiers');
  await press(detail, 'CSV');

  expect(detail.rows.map(([item]) => item)).toEqual(
    expect.arrayContaining(['cpu (acme)', 'cpu (globex)']),
  );
  expect(new Set(rowsOf(0).map((row) => row['billing period']))).toEqual(new Set(['1']));
});

it('a person without access to the account and the orgs gets the name of the role', async () => {
  const { ask, who } = await startAsMember();
  who.isMember = false;

  await expect(ask('last month org acme')).rejects.toThrow(
    'You need one of billing_admin, billing_viewer.',
  );
});

it('a button of an answer of the account shows no more than the orgs once the role is gone', async () => {
  const { ask, group, who } = await startCharges();
  const account = await ask('last month by gvc');
  Object.assign(who, { isReader: false, isMember: true });

  const { said } = await group(account, 'org');

  expect(said).toContain('in org `acme`');
});
