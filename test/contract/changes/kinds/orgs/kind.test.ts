import { beforeEach, describe, expect, test } from 'vitest';
import { inputKey } from '../../../../../src/changes/change.ts';
import type { InputOf } from '../../../../../src/changes/kinds/kinds.ts';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const NEW: InputOf<'org.create'> = {
  kind: 'org.create',
  name: 'hooli',
  description: 'the new one',
  invitees: ['ada@acme.example', 'ben@acme.example'],
  superuser: false,
};
const order = (changes: Partial<typeof NEW> = {}) => harness.order({ ...NEW, ...changes });
const account = (changes: object) => harness.control('account', changes);

describe('creating an org', () => {
  test('says what cannot be undone, and sends it once', async () => {
    const { conflict, plan, now } = await order().look();

    const sent = await order().send();

    expect(order().title).toBe('Create the org hooli');
    expect({ conflict, before: plan.before, now }).toEqual({ before: [], now: [] });
    expect(read(plan.after)).toEqual([
      'Name: hooli',
      'Description: the new one',
      'Invitees: ada@acme.example, ben@acme.example',
      'Superuser key: no',
    ]);
    expect(plan.consequences).toEqual([
      'The name hooli is global and permanent: it can be neither changed nor taken back.',
      'The billing account pays for whatever runs in the org.',
      'An invitation is e-mailed to each of the 2 invitees.',
    ]);
    expect(sent).toEqual({});
    expect(read((await order().look()).now)).toEqual([
      'Name: hooli',
      'Created: 2026-10-15 12:00 UTC',
    ]);
    expect((await harness.writes()).length).toBe(1);
    expect((await harness.mails()).map(({ to }) => to)).toEqual([
      'ada@acme.example',
      'ben@acme.example',
    ]);
  });

  test('with tags shows and sends them, and other tags are another request', async () => {
    const tags = { 'cost-center': '4711', note: 'a, team=b', team: 'payments' };
    const asked = order({ tags });
    const { plan } = await asked.look();

    await asked.send();

    expect(read(plan.after)[2]).toBe('Tags: cost-center=4711, note="a, team=b", team=payments');
    expect((await harness.writes()).map(({ body }) => body)).toEqual([
      {
        org: { name: 'hooli', description: 'the new one', tags },
        invitees: ['ada@acme.example', 'ben@acme.example'],
        createSuperuserServiceAccount: false,
      },
    ]);
    const others = [{ team: 'a' }, { team: 'b' }, { 'team=b': '' }, undefined].map((one) =>
      inputKey({ ...NEW, ...(one && { tags: one }) }),
    );
    expect(new Set(others).size).toBe(4);
    expect(inputKey({ ...NEW, tags: { a: '1', b: '2' } })).toBe(
      inputKey({ ...NEW, tags: { b: '2', a: '1' } }),
    );
  });

  test('with a superuser key hands it out once', async () => {
    const asked = order({ superuser: true });
    const { plan } = await asked.look();

    const { secret, note } = await asked.send();
    const again = await asked.send();

    expect(read(plan.after)).toContain('Superuser key: yes');
    expect(plan.consequences.at(-1)).toMatch(/shown once, .* cannot be deleted by the API\.$/);
    expect({ note, what: secret?.what, tokenId: secret?.tokenId }).toEqual({
      what: 'superuser key',
    });
    expect(secret?.value.reveal()).toMatch(/^sandbox-superuser-hooli-/);
    expect(again).toEqual({
      note: 'The org was already created by this account, so nothing was created, and there is no key.',
      ended: 'nothing',
    });
  });

  test('that the platform gives no key for is created, and says so', async () => {
    await harness.fault({ method: 'POST', status: 201, body: { name: 'hooli' } });

    const { secret, note, ended } = await order({ superuser: true }).send();

    expect(secret).toBeUndefined();
    expect(note).toMatch(/^The platform gave no superuser key: create/);
    expect(ended).toBe('partly');
  });

  test('that this account has already may be asked for, and shows what is sent, and that nothing comes of it', async () => {
    await account({ tou: false });
    const { conflict, plan } = await order({ name: 'acme', superuser: true }).look();

    expect(conflict).toBeUndefined();
    expect(plan.before).toEqual([]);
    expect(read(plan.after)).toEqual([
      'Name: acme',
      'Description: the new one',
      'Invitees: ada@acme.example, ben@acme.example',
      'Superuser key: yes',
    ]);
    expect(plan.consequences).toEqual([
      '⚠ Best rejected: this account created the org acme already, so nothing is created, and no key will be shown; for a new org, choose another name.',
      'As far as the platform’s specification says, nobody is invited anew.',
    ]);
  });

  test('of an account without a card is asked for with a warning: the platform decides', async () => {
    await account({ paymentMethods: [] });

    const { conflict, plan } = await order().look();

    expect(conflict).toBeUndefined();
    expect(plan.consequences.at(-1)).toBe(
      '⚠ The account has no card: unless it pays in another way, the platform refuses a new org.',
    );
    expect(plan.passing).toEqual(plan.consequences.slice(-1));
  });

  test.each([
    [{ tou: false }, 'the Terms of Use are not accepted'],
    [{ enabled: false }, 'the account is not enabled'],
    [{ orgQuota: 3 }, 'its org quota of 3 is used up'],
    [
      { tou: false, paymentMethods: [], enabled: false },
      'the Terms of Use are not accepted and the account is not enabled',
    ],
  ])('is refused with the problem that the account has: %o', async (changes, problem) => {
    await account(changes);

    expect((await order().look()).conflict).toBe(
      `The account can have no new org now, because ${problem}: have that put right on the platform, look with /billing account, and ask again.`,
    );
  });

  test('is refused in the platform’s own words when it knows better', async () => {
    expect(await order({ name: 'Hooli' }).refusal()).toMatch(
      /^The platform does not create the org Hooli \(“.+”\): put that right, .*ask again\.$/,
    );
    await account({ tou: false, enabled: false });
    expect(await order().refusal()).toContain(
      '(“the Terms of Use are not accepted; the account is not enabled”)',
    );
  });
});

describe('an org whose answer was lost', () => {
  test.each([
    ['is there', false, { kind: 'done' }],
    [
      'is there without its key',
      true,
      { kind: 'secret lost', what: 'superuser key', tokenIds: [] },
    ],
  ])('%s', async (_what, superuser, settled) => {
    const asked = order({ superuser });

    expect(await asked.settled(() => harness.losing(asked.send))).toEqual(settled);
  });

  test('is not there', async () => {
    expect(await order().settled()).toEqual({ kind: 'not done' });
  });

  test('was there before, and nothing is missing', async () => {
    expect(await order({ name: 'acme', superuser: true }).settled()).toEqual({ kind: 'done' });
  });

  test('is unclear where the list cannot be read in full', async () => {
    const unsure = await order().settled(() =>
      harness.fault({ method: 'GET', path: '/org$', kind: 'bad-item' }),
    );

    expect(unsure).toEqual({ kind: 'unclear' });
  });
});
