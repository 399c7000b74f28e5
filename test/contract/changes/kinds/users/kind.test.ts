import { beforeEach, describe, expect, test } from 'vitest';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const BEN = 'ben@acme.example';
const NEW = 'Zoe@acme.example';
const ADD = { kind: 'user.add', email: NEW, roles: ['org_creator', 'billing_viewer'] } as const;
const ROLES = { kind: 'user.roles', email: BEN, roles: ['org_creator'] } as const;
const REMOVE = { kind: 'user.remove', email: BEN } as const;
/** As orders have them. */
const add = () => harness.order({ ...ADD, roles: [...ADD.roles] });
const roles = () => harness.order({ ...ROLES, roles: [...ROLES.roles] });
const remove = () => harness.order(REMOVE);

const nothing = async () => undefined;
const control = (email: string, ...held: string[]) =>
  harness.control('users', { email, roles: held });

describe('adding a user', () => {
  test('shows address and roles, and says that an invitation is sent', async () => {
    const { conflict, plan } = await add().look();

    await add().send();

    expect(add().title).toBe(
      'Add the billing user Zoe@acme.example with billing_viewer and org_creator',
    );
    expect(add().subjects).toEqual(['zoe@acme.example']);
    expect(conflict).toBeUndefined();
    expect(plan.before).toEqual([]);
    expect(read(plan.after)).toEqual([
      'E-mail: Zoe@acme.example',
      'Roles: billing_viewer, org_creator',
    ]);
    expect(plan.consequences[0]).toBe('An invitation is e-mailed to Zoe@acme.example.');
    expect(read((await add().look()).now)[1]).toBe('Roles: billing_viewer, org_creator');
    expect((await harness.writes()).length).toBe(1);
    expect((await harness.mails()).map(({ kind }) => kind)).toEqual(['invitation']);
  });

  test('who is there already, in other letters too, is refused before and after', async () => {
    const order = harness.order({
      kind: 'user.add',
      email: 'BEN@acme.example',
      roles: ['org_creator'],
    });

    const { conflict } = await order.look();

    expect(conflict).toBe(
      'BEN@acme.example is a billing user already: change the roles with /billing users roles.',
    );
    expect(await order.refusal()).toBe(conflict);
  });

  test.each([
    ['there with the roles', 'done', () => harness.losing(add().send)],
    ['not there', 'not done', nothing],
    ['there with other roles', 'unclear', () => control(NEW, 'billing_admin')],
  ])('and no answer: who is %s, is %s', async (_what, kind, between) => {
    expect(await add().settled(between)).toEqual({ kind });
  });
});

describe('replacing roles', () => {
  test('names what is lost and what is gained', async () => {
    const { conflict, plan } = await roles().look();

    await roles().send();

    expect(roles().title).toBe('Give ben@acme.example the role org_creator');
    expect(conflict).toBeUndefined();
    expect(read(plan.before)).toEqual(['E-mail: ben@acme.example', 'Roles: billing_admin']);
    expect(read(plan.after)).toEqual(['E-mail: ben@acme.example', 'Roles: org_creator']);
    expect(plan.consequences).toEqual(['New roles can take 5 minutes to take effect.']);
    expect((await roles().look()).now).toEqual(plan.after);
  });

  test('names a role that nobody knows before it is taken away', async () => {
    const [before, after] = [
      { email: BEN, roles: ['weird_new_role', 'org_creator'] },
      { email: BEN, roles: ['org_creator'] },
    ];
    const has = (user: object) =>
      harness.fault({ method: 'GET', path: '/user', body: { items: [user] } });
    await has(before);
    const { conflict, plan } = await roles().look();

    const settled = [
      await roles().settled(),
      await roles().settled(() => has(after)),
      await harness
        .order({ ...ROLES, kind: 'user.add', roles: ['org_creator'] })
        .settled(() => has(before)),
    ];

    expect(conflict).toBeUndefined();
    expect(read(plan.before)).toContain('Roles: org_creator, weird_new_role');
    expect(read(plan.after)).toContain('Roles: org_creator');
    expect(settled.map(({ kind }) => kind)).toEqual(['not done', 'done', 'unclear']);
  });

  test('by the same ones, or of nobody, is refused', async () => {
    await control('both@acme.example', 'billing_viewer', 'org_creator');
    const same = harness.order({
      kind: 'user.roles',
      email: 'both@acme.example',
      roles: ['org_creator', 'billing_viewer'],
    });
    const nobody = harness.order({ kind: 'user.roles', email: NEW, roles: ['org_creator'] });

    expect((await same.look()).conflict).toMatch(
      /has exactly the roles billing_viewer and org_creator already/,
    );
    expect((await nobody.look()).conflict).toBe(
      'Zoe@acme.example is not a billing user: /billing users shows who is.',
    );
    expect(await nobody.refusal()).toBe((await nobody.look()).conflict);
  });

  test.each([
    ['has the new ones', 'done', () => harness.losing(roles().send)],
    ['has the old ones', 'not done', nothing],
    ['has those of somebody else', 'unclear', () => control(BEN, 'billing_viewer')],
    ['is gone', 'unclear', () => control(BEN)],
  ])('and no answer: who %s, is %s', async (_what, kind, between) => {
    expect(await roles().settled(between)).toEqual({ kind });
  });
});

describe('removing a user', () => {
  test('shows what goes', async () => {
    const { conflict, plan } = await remove().look();

    await remove().send();

    expect(remove().subjects).toEqual([BEN]);
    expect(conflict).toBeUndefined();
    expect(read(plan.before)).toEqual(['E-mail: ben@acme.example', 'Roles: billing_admin']);
    expect(plan.after).toEqual([]);
    expect((await remove().look()).now).toEqual([]);
    expect((await remove().look()).conflict).toMatch(/^ben@acme\.example is not a billing user/);
    expect(await remove().refusal()).toMatch(/^ben@acme\.example is not a billing user/);
  });

  test.each([
    ['gone', 'done', () => harness.losing(remove().send)],
    ['still there', 'not done', nothing],
  ])('and no answer: who is %s, is %s', async (_what, kind, between) => {
    expect(await remove().settled(between)).toEqual({ kind });
  });
});

test('the last billing_admin is warned of in strong words', async () => {
  const before = [await roles().look(), await remove().look()];
  for (const email of ['ada@acme.example', 'gus@acme.example']) await control(email, 'org_creator');

  const after = [await roles().look(), await remove().look()];

  const warning = expect.stringMatching(/^⚠ ben@acme\.example is the last billing_admin/);
  expect(before.map(({ plan }) => plan.consequences)).not.toContainEqual(
    expect.arrayContaining([warning]),
  );
  expect(after.map(({ plan }) => plan.consequences)).toEqual([
    expect.arrayContaining([warning]),
    expect.arrayContaining([warning]),
  ]);
});

test('somebody in a row that cannot be read is asked for by name', async () => {
  const body = { items: [{ email: 7 }, { email: 'ada@acme.example', roles: ['billing_admin'] }] };
  await harness.fault({ path: '/user$', method: 'GET', body });

  expect(read((await remove().look()).now)).toContain('Roles: billing_admin');
  expect((await add().look()).conflict).toBeUndefined();
});

test('the platform’s own words are quoted when it refuses a person as its own user', async () => {
  const error = 'your own billing user cannot be changed or removed.';
  await harness.fault({ path: '/user/', status: 400, body: { code: 400, error } });

  expect(await roles().refusal()).toBe(
    'The platform does not change ben@acme.example (“your own billing user cannot be changed or removed”): have another billing_admin do it on the platform itself.',
  );
  expect(await remove().refusal()).toBe(await roles().refusal());
});
