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
    ['team=a\nteam=b', 'The key "team" is there twice: leave one.'],
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
