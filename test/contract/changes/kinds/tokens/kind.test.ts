import { fingerprint } from '../../../../../src/changes/change.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewToken } from '../../../../../src/platform/billing/tokens.ts';
import { read, startKinds, type Harness } from '../kinds-support.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await startKinds();
});

const CI = { name: 'ci-deploy', description: 'the nightly report' };
const CREATE = { kind: 'token.create' as const, ...CI, expiresAt: '2026-12-31T00:00:00Z' };
const create = () => harness.order({ ...CREATE, roles: ['billing_viewer'] });
const tokenOf = async () => (await harness.client.listTokens()).value.items.at(-1)!;
/** Somebody else's token. */
const another = (token: Partial<NewToken> = {}) =>
  harness.client.createToken({
    ...CI,
    roles: ['billing_viewer'],
    expiresAt: CREATE.expiresAt,
    ...token,
  });

describe('creating a token', () => {
  test('shows what it may and until when, and hands out its secret once', async () => {
    const { conflict, plan, now } = await create().look();

    const { secret, ...sent } = await create().send();

    const token = await tokenOf();
    expect(create().title).toBe('Create the token ci-deploy with billing_viewer');
    expect({ conflict, before: plan.before, now }).toEqual({ before: [], now: [] });
    expect(read(plan.after)).toEqual([
      'Name: ci-deploy',
      'Description: the nightly report',
      'Roles: billing_viewer',
      'Expires: 2026-12-31 00:00 UTC',
    ]);
    expect(plan.consequences).toEqual([
      'The secret is shown once, to the requester only, and the token is deleted if it is not revealed within 15 minutes.',
    ]);
    expect(sent).toEqual({});
    expect(secret).toMatchObject({ what: 'token', tokenId: token.id });
    expect(secret?.value.reveal()).toMatch(/^svc-bsat-/);
    expect((await create().look()).now).toEqual(plan.after);
    expect(JSON.stringify(await create().look())).not.toContain(secret?.value.reveal());
    expect((await harness.writes()).length).toBe(1);
  });

  test('without an end or a description says so, and a namesake is mentioned', async () => {
    await another();
    const { plan } = await harness
      .order({ kind: 'token.create', name: CI.name, description: '', roles: ['billing_admin'] })
      .look();

    expect(read(plan.after).slice(1)).toEqual([
      'Description: none',
      'Roles: billing_admin',
      'Expires: never',
    ]);
    expect(plan.consequences.slice(1)).toEqual([
      'Without an expiry the token works until somebody deletes it.',
      'There is a token ci-deploy already, and this one comes in addition to it.',
    ]);
  });

  test('that would be over by now is refused', async () => {
    await harness.advance(90 * 86_400);

    expect((await create().look()).conflict).toBe(
      'The token would be over already: ask again with a later expiry.',
    );
  });

  test('is refused by the platform in its own words', async () => {
    await harness.fault({ method: 'POST', status: 400, body: { code: 400, error: 'too many' } });

    expect(await create().refusal()).toBe(
      'The platform does not create the token ci-deploy (“too many”): put that right, and ask again.',
    );
  });
});

describe('a token whose answer was lost', () => {
  test('is known by what was ordered, and its secret is lost', async () => {
    await another();

    const settled = await create().settled(() => harness.losing(create().send));

    expect(settled).toEqual({
      kind: 'secret lost',
      what: 'token',
      tokenIds: [(await tokenOf()).id],
    });
  });

  test('is known though the platform has trimmed its description', async () => {
    const description = ` ${CI.description} `;
    const order = harness.order({ ...CREATE, description, roles: ['billing_viewer'] });

    expect(await order.settled(() => another())).toMatchObject({ kind: 'secret lost' });
  });

  test('was not created when there is no new one', async () => {
    await another();

    const settled = await create().settled(() => another({ name: 'of somebody else' }));

    expect(settled).toEqual({ kind: 'not done' });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['two new ones fit', async () => [await another(), await another()]],
    ['the new one has other roles', () => another({ roles: ['org_creator'] })],
    ['the new one has another description', () => another({ description: 'a weekly one' })],
    ['the new one ends at another time', () => another({ expiresAt: '2027-01-01T00:00:00Z' })],
    [
      'the list cannot be read in full',
      () => harness.fault({ method: 'GET', path: '/service-account-token', kind: 'bad-item' }),
    ],
  ])('may be somebody else’s when %s, and is left alone', async (_what, between) => {
    expect(await create().settled(between)).toEqual({ kind: 'unclear' });
  });
});

describe('deleting a token', () => {
  const remove = async (name: string = CI.name) =>
    harness.order({ kind: 'token.delete', tokenId: (await tokenOf()).id, name });

  test('shows its last use first, which does not change the plan', async () => {
    const { secret } = await another();
    const order = await remove();
    const before = (await order.look()).plan;
    await harness.raw('GET', 'chargeable_items', { token: secret.reveal() });

    const { plan } = await order.look();
    await order.send();

    expect(order.title).toBe('Delete the token ci-deploy');
    expect(fingerprint(plan)).toBe(fingerprint(before));
    expect(read(before.before)[0]).toBe('Last used: no use reported');
    expect(read(plan.before)).toEqual([
      expect.stringMatching(/^Last used: about .+ \(2026-10-15 \d\d:\d\d UTC\)$/),
      'Name: ci-deploy',
      'Description: the nightly report',
      'Roles: billing_viewer',
      'Expires: 2026-12-31 00:00 UTC',
      'Created: 2026-10-15 12:00 UTC',
      'Created by: ada@acme.example',
      expect.stringMatching(/^Id: ./),
    ]);
    expect(plan.after).toEqual([]);
    expect(plan.consequences).toContain('The token may go on working for up to 5 minutes.');
    expect((await order.look()).now).toEqual([]);
  });

  test('shows a role that nobody knows', async () => {
    const token = { id: 42, name: 'ci', roles: ['org_creator', 'weird_new_role'] };
    await harness.fault({ method: 'GET', path: '/service-account-token', body: [token] });

    const { plan } = await harness
      .order({ kind: 'token.delete', tokenId: '42', name: 'ci' })
      .look();

    expect(read(plan.before)).toEqual([
      'Last used: no use reported',
      'Name: ci',
      'Description: none',
      'Roles: org_creator, weird_new_role',
      'Expires: never',
      'Created: not said',
      'Created by: not said',
      'Id: 42',
    ]);
  });

  test('that is gone is refused, before and after', async () => {
    await another();
    const order = await remove();
    await order.send();

    const { conflict } = await order.look();

    expect(conflict).toBe(
      'The token ci-deploy is gone already: /billing tokens shows what is there.',
    );
    expect(await order.refusal()).toBe(conflict);
  });

  test('without an answer is settled by the list', async () => {
    await another();
    const order = await remove();

    const before = await order.settled();
    const after = await order.settled(() => harness.losing(order.send));
    const unsure = await order.settled(() =>
      harness.fault({ method: 'GET', path: '/service-account-token', kind: 'bad-item' }),
    );

    expect([before, after, unsure]).toEqual([
      { kind: 'not done' },
      { kind: 'done' },
      { kind: 'unclear' },
    ]);
  });
});
