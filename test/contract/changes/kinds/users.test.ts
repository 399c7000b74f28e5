import { beforeEach, expect, test } from 'vitest';
import type { InputOf } from '../../../../src/changes/kinds/kinds.ts';
import { read, startKinds, type Harness } from './kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const ADD: InputOf<'user.add'> = {
  kind: 'user.add',
  email: 'zoe@acme.example',
  roles: ['org_creator', 'billing_viewer'],
};
const SET: InputOf<'user.roles'> = { ...ADD, kind: 'user.roles', roles: ['org_creator'] };
const REMOVE = { kind: 'user.remove', email: ADD.email } as const;

test('a user is added, gets other roles and is removed, each by one call', async () => {
  for (const input of [ADD, SET, REMOVE]) {
    const order = harness.order(input);
    const { plan } = await order.look();

    await order.send();

    expect((await order.look()).now).toEqual(plan.after);
  }

  expect((await harness.writes()).map(({ method }) => method)).toEqual(['POST', 'PUT', 'DELETE']);
  expect((await harness.mails()).map(({ kind }) => kind)).toEqual(['invitation']);
});

test('an address that is taken, or unknown, is refused as the plan says', async () => {
  for (const input of [{ ...ADD, email: 'BEN@acme.example' }, SET, REMOVE]) {
    const order = harness.order(input);

    expect((await order.look()).conflict).toMatchObject({ ...(await order.refusal()) });
  }
});

test('a call without an answer is settled by the list', async () => {
  for (const input of [ADD, SET, REMOVE]) {
    expect(await harness.order(input).settled()).toEqual({ kind: 'done' });
  }
});

test('a user in a row that cannot be read is asked for by name', async () => {
  const body = { items: [{ email: 7 }, { email: 'ada@acme.example', roles: ['billing_admin'] }] };
  await harness.fault({ path: '/user$', method: 'GET', body });
  const { now } = await harness.order({ ...REMOVE, email: 'ben@acme.example' }).look();

  expect(read(now)).toContain('Roles: billing_admin');
  expect((await harness.order(ADD).look()).conflict).toBeUndefined();
});

test('the platform’s own words are quoted when it refuses a person as its own user', async () => {
  const error = 'your own billing user cannot be changed or removed.';
  await harness.fault({ path: '/user/', status: 400, body: { code: 400, error } });

  for (const [input, what] of [
    [SET, 'change the roles of'],
    [REMOVE, 'remove'],
  ] as const) {
    expect(await harness.order({ ...input, email: 'ben@acme.example' }).refusal()).toEqual({
      code: 'refused',
      again: true,
      sentence: `The platform does not ${what} ben@acme.example. It says: “your own billing user cannot be changed or removed”. When that is settled, ask again.`,
    });
  }
});
