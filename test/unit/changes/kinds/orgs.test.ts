import { describe, expect, it } from 'vitest';
import { inputKey } from '../../../../src/changes/change.ts';
import type { InputOf } from '../../../../src/changes/kinds/kinds.ts';
import { fieldOf, formHarness, labelsOf, NO_KEY, wordsOf } from '../forms/harness.ts';
import { planOn, read, sentTo, settledOn } from './planned.ts';

const FILLED = {
  Name: 'new-org',
  'Type the name again': 'new-org',
  Invitees: 'ada@acme.example',
};

const fifty = (name: string) =>
  Array.from({ length: 50 }, (_, index) => `${name}${index}@acme.example`).join(' ');
const TOO_LONG =
  'These addresses are too long to be shown on the card: name fewer, at most 1,800 characters in all.';

describe('The form that creates an org', () => {
  it('asks for the name twice, and says that it is for ever', async () => {
    const harness = formHarness({ orgs: 3, account: { orgQuota: 5 } });

    const form = await harness.open('org.create');

    expect(labelsOf(form)).toEqual([
      'Name',
      'Type the name again',
      'Description',
      'Tags',
      'Invitees',
      'Superuser key',
    ]);
    expect(wordsOf(form)).not.toContain('⚠');
    await harness.submit('org.create', form, {
      ...FILLED,
      Invitees: 'ada@acme.example, bob@acme.example\nADA@acme.example; cy@acme.example',
      'Superuser key': ['yes'],
    });
    expect(harness.orders).toEqual([
      {
        kind: 'org.create',
        name: 'new-org',
        description: '',
        invitees: ['ada@acme.example', 'bob@acme.example', 'cy@acme.example'],
        superuser: true,
      },
    ]);
  });

  it.each([
    [{ Name: '' }, { Name: 'Give the org a name.' }],
    [
      { Name: 'my org', 'Type the name again': 'my org' },
      { Name: 'The name of an org has no spaces: leave them out.' },
    ],
    [
      { Name: 'x'.repeat(65), 'Type the name again': 'x'.repeat(65) },
      { Name: 'This is too long: at most 64 characters are possible.' },
    ],
    [
      { 'Type the name again': 'New-org' },
      { 'Type the name again': 'This is not the same name: type it exactly as above.' },
    ],
    [
      { 'Type the name again': '' },
      { 'Type the name again': 'This is not the same name: type it exactly as above.' },
    ],
    [
      { Invitees: ' ,\n' },
      { Invitees: 'Name at least one e-mail address such as ada@example.com.' },
    ],
    [
      { Invitees: 'ada@acme.example nobody' },
      { Invitees: '"nobody" is not an e-mail address: write one such as ada@example.com.' },
    ],
    [
      { Invitees: Array.from({ length: 51 }, (_, index) => `p${index}@acme.example`).join(' ') },
      { Invitees: 'These are 51 addresses: at most 50 are possible.' },
    ],
    [{ Invitees: fifty('x'.repeat(25)) }, { Invitees: TOO_LONG }],
    // On its way to the card, an ampersand becomes five characters.
    [{ Invitees: fifty('&'.repeat(12)) }, { Invitees: TOO_LONG }],
  ])('says under the field what is wrong with %j', async (said, expected) => {
    const harness = formHarness();

    const { errors } = await harness.submit('org.create', await harness.open('org.create'), {
      ...FILLED,
      ...said,
    });

    expect(errors).toEqual(expected);
    expect(harness.orders).toEqual([]);
  });

  it('says beforehand what the platform would refuse it for', async () => {
    const harness = formHarness({
      orgs: 5,
      account: { tou: false, paymentMethods: [], enabled: false, orgQuota: 5 },
    });

    const words = wordsOf(await harness.open('org.create'));

    expect(words.indexOf('⚠ The platform refuses a new org')).toBeLessThan(
      words.indexOf('The account pays for 5 orgs now'),
    );
    expect(words).toContain(
      'as things are: the terms of use are not accepted, the account is not enabled and its quota of orgs is used up.',
    );
    expect(words).toContain('⚠ The account has no card: unless it pays in another way');
    expect(words.split('The platform refuses')).toHaveLength(2);
  });

  it('offers no superuser key without SECRET_KEY, and says why', async () => {
    const harness = formHarness({}, { config: NO_KEY });

    const form = await harness.open('org.create', { name: 'new-org' });

    expect(labelsOf(form)).not.toContain('Superuser key');
    expect(fieldOf(form, 'Name').element.initial_value).toBe('new-org');
    expect(wordsOf(form)).toContain('because SECRET_KEY is not set');
    await harness.submit('org.create', form, FILLED);
    expect(harness.orders).toMatchObject([{ superuser: false }]);
  });

  it('orders no superuser key by a form that was opened when there was a SECRET_KEY', async () => {
    const before = await formHarness().open('org.create');
    const harness = formHarness({}, { config: NO_KEY });

    await harness.submit('org.create', before, { ...FILLED, 'Superuser key': ['yes'] });

    expect(harness.orders).toMatchObject([{ name: 'new-org', superuser: false }]);
  });
});

const TOO_LONG_TAGS =
  'These tags are too long to be shown on the card: name fewer, at most 500 characters in all.';

describe('The tags of a new org', () => {
  const tagged = (Tags: string) => formHarness().order('org.create', {}, { ...FILLED, Tags });

  it('may be left out', async () => {
    expect(await tagged(' \n ')).not.toHaveProperty('tags');
    expect(fieldOf(await formHarness().open('org.create'), 'Tags').optional).toBe(true);
  });

  it('are read line by line, as text, in the order of their keys', async () => {
    const order = await tagged(
      'team = payments \r\n\ncost-center=4711\nsvc/critical=true\nempty=\nurl=https://x.example/?a=b\nsaid="  a, \\"b\\" "\nnothing=null',
    );

    expect(JSON.stringify(order && 'tags' in order && order.tags)).toBe(
      JSON.stringify({
        'cost-center': '4711',
        empty: '',
        nothing: 'null',
        said: '  a, "b" ',
        'svc/critical': 'true',
        team: 'payments',
        url: 'https://x.example/?a=b',
      }),
    );
  });

  const LINE = 'is not a tag: write each on a line of its own, such as team=payments.';
  const VALUE = 'cannot be read: write a text, a number, true or false.';
  const UNSEEN =
    'has an invisible character (U+200B), so it can be taken for another one: type it by hand, in one alphabet.';
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => `k${index}=v`).join('\n');
  it.each([
    ['payments', `"payments" ${LINE}`],
    ['team=a\n=b', `"=b" ${LINE}`],
    ['my team=a', `"my team=a" ${LINE}`],
    ['a=1, b=2', undefined],
    ['a,b=2', `"a,b=2" ${LINE}`],
    ['__proto__=1', `"__proto__=1" ${LINE}`],
    ['{"team": "a"}', `"{"team": "a"}" ${LINE}`],
    ['team=["a"]', `The value of "team=["a"]" ${VALUE}`],
    ['team={"a":1}', `The value of "team={"a":1}" ${VALUE}`],
    ['team="a', `The value of "team="a" ${VALUE}`],
    ['team=a\nteam=b', 'The key "team" is there twice: leave one of them.'],
    ['team=v\u200Bw', `The value of "team=v⟨U+200B⟩w" ${UNSEEN}`],
    ['team="v\u200Bw"', `The value of "team="v⟨U+200B⟩w"" ${UNSEEN}`],
    ['team="v\\u200bw"', `The value of "team="v\\u200bw"" ${UNSEEN}`],
    ['note=команда ops-бот', undefined],
    [numbered(50), undefined],
    [numbered(51), 'These are 51 tags: at most 50 are possible.'],
    [`team=${'x'.repeat(500)}`, TOO_LONG_TAGS],
  ])('written as %j are refused or taken: %s', async (Tags, error) => {
    const harness = formHarness();

    const { errors } = await harness.submit('org.create', await harness.open('org.create'), {
      ...FILLED,
      Tags,
    });

    expect(errors).toEqual(error === undefined ? undefined : { Tags: error });
  });
});

const NEW: InputOf<'org.create'> = {
  kind: 'org.create',
  name: 'hooli',
  description: 'the new one',
  invitees: ['ada@acme.example', 'ben@acme.example'],
  superuser: false,
};
const KEY = { ...NEW, superuser: true };
const HOOLI = { orgs: [{ name: 'hooli', accountId: 'account-1', created: 0 }] };

describe('the plan for an org', () => {
  it('shows all that is sent, and says what cannot be undone', async () => {
    const { plan, now, conflict } = await planOn({ orgs: 2 }, NEW);

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
    expect((await planOn({}, KEY)).plan.consequences.at(-1)).toMatch(
      /^⚠ The superuser key .* shown once, .* cannot be deleted by the API\.$/,
    );
  });

  it('shows tags, and with other tags is another request', async () => {
    const tags = { 'cost-center': '4711', note: 'a, team=b', team: 'payments' };
    const { plan } = await planOn({}, { ...NEW, tags });

    expect(read(plan.after)[2]).toBe('Tags: cost-center=4711, note="a, team=b", team=payments');
    const keys = [{ team: 'a' }, { team: 'b' }, { 'team=b': '' }, undefined].map((one) =>
      inputKey({ ...NEW, ...(one && { tags: one }) }),
    );
    expect(new Set(keys).size).toBe(4);
    expect(inputKey({ ...NEW, tags: { a: '1', b: '2' } })).toBe(
      inputKey({ ...NEW, tags: { b: '2', a: '1' } }),
    );
  });

  it('of one that this account created shows that it has no effect, and has no conflict', async () => {
    const { plan, now, conflict } = await planOn(
      { ...HOOLI, account: { tou: false, paymentMethods: [] } },
      KEY,
    );

    expect(conflict).toBeUndefined();
    expect(plan.before).toEqual([]);
    expect(read(now)).toEqual(['Name: hooli', 'Created: 1970-01-01 00:00 UTC']);
    expect(read(plan.after)).toContain('Superuser key: yes');
    expect(plan.consequences).toEqual([
      '⚠ Best rejected: this account created the org hooli already, so nothing is created, and no key will be shown; for a new org, choose another name.',
      'As far as the platform’s specification says, nobody is invited anew.',
    ]);
  });

  it('without a card has a warning that passes: the platform decides', async () => {
    const { plan, conflict } = await planOn({ account: { paymentMethods: [] } }, NEW);

    expect(conflict).toBeUndefined();
    expect(plan.passing).toEqual([
      '⚠ The account has no card: unless it pays in another way, the platform refuses a new org.',
    ]);
    expect(plan.consequences.slice(-1)).toEqual(plan.passing);
  });

  it.each([
    [{ tou: false }, 'the Terms of Use are not accepted'],
    [{ enabled: false }, 'the account is not enabled'],
    [{ orgQuota: 3 }, 'its org quota of 3 is used up'],
    [
      { tou: false, paymentMethods: [], enabled: false },
      'the Terms of Use are not accepted and the account is not enabled',
    ],
  ])('is in conflict with a problem of the account: %o', async (account, problem) => {
    expect((await planOn({ orgs: 3, account }, NEW)).conflict).toEqual({
      code: 'conflict',
      sentence: `The account can have no new org now, because ${problem}: have that put right on the platform, look with /billing account, and ask again.`,
    });
  });
});

describe('an org', () => {
  it('without the key that was asked for is created in part', async () => {
    const createOrg = async () => ({ created: true }) as never;

    expect(await sentTo({ createOrg }, NEW)).toEqual({});
    expect(await sentTo({ createOrg }, KEY)).toEqual({
      note: expect.stringMatching(/^The platform gave no superuser key: create/),
      ended: 'partly',
    });
  });

  const LOST = { kind: 'secret lost', what: 'superuser key', tokenIds: [] };
  it.each([
    ['there is created', NEW, {}, HOOLI, { kind: 'done' }],
    ['there with a lost key is created', KEY, {}, HOOLI, LOST],
    ['that was there before lacks nothing', KEY, HOOLI, HOOLI, { kind: 'done' }],
    ['not there is not created', NEW, {}, {}, { kind: 'not done' }],
    ['behind an unreadable row is unclear', NEW, {}, { skipped: 1 }, { kind: 'unclear' }],
  ])('%s', async (_, input, before, after, settled) => {
    expect(await settledOn(input, before, after)).toEqual(settled);
  });
});
