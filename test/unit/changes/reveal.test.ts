import { describe, expect, it } from 'vitest';
import type { Sealed } from '../../../src/changes/change.ts';
import { createCounter } from '../../../src/changes/reveal.ts';
import { Refusal } from '../../../src/lib/refusal.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeOffice, MINUTE, TOKEN } from './fake-office.ts';

const ID = 'k3m9x2ab';
const LOST = new PlatformError('timeout', 'no answer');

/** A token that was created for Ada, and waits for her. */
async function afterCreation(tokenId: string | undefined = 't1') {
  const office = fakeOffice();
  await office.file({ ...approved(), order: TOKEN });
  office.send = async () => ({
    secret: { value: new Secret('svc-bsat-1'), what: 'token', ...(tokenId && { tokenId }) },
  });
  await office.advance();
  return { office, counter: createCounter(office.deps) };
}

/** A change whose secret is in that state. */
async function withSecret(secret: Partial<Sealed>) {
  const office = fakeOffice();
  await office.file({
    ...approved(),
    order: TOKEN,
    state: 'succeeded',
    marks: {},
    secret: { state: 'lapsed', what: 'token', at: REQUESTED_AT, until: REQUESTED_AT, ...secret },
  });
  return office;
}

describe('a secret', () => {
  it('is sealed in the step in which the change succeeds, for 15 minutes', async () => {
    const { office } = await afterCreation();
    const change = await office.now();

    expect(change).toMatchObject({
      state: 'succeeded',
      secret: {
        state: 'sealed',
        what: 'token',
        at: REQUESTED_AT,
        until: REQUESTED_AT + 15 * MINUTE,
        tokenId: 't1',
      },
    });
    expect(JSON.stringify(change)).not.toContain('svc-bsat-1');
  });

  it('is shown to the requester, once', async () => {
    const { office, counter } = await afterCreation();
    office.clock.at += 15 * MINUTE - 1;
    const taken = await counter.take(ADA, ID);

    expect(taken.secret.reveal()).toBe('svc-bsat-1');
    await expect(counter.take(ADA, ID)).rejects.toThrow('being shown at this moment');

    await taken.shown();

    await expect(office.now()).resolves.toMatchObject({ secret: { state: 'revealed' } });
    await expect(counter.take(ADA, ID)).rejects.toThrow('was revealed already');

    office.clock.at += 60 * MINUTE;
    await office.advance();

    expect(office.calls).toEqual(['send']);
  });

  it('is shown to the requester, whatever Slack calls the workspace of the click', async () => {
    const { counter } = await afterCreation();
    const { secret } = await counter.take({ ...ADA, teamId: 'E0ACME' }, ID);

    expect(secret.reveal()).toBe('svc-bsat-1');
  });

  it('is there for a click in the last second of the 15 minutes, and a minute longer', async () => {
    const { office } = await afterCreation();
    office.clock.at += 15 * MINUTE - 1_000;
    const takeSecret = (id: string) => {
      office.clock.at += MINUTE;
      return office.changes.takeSecret(id);
    };
    const counter = createCounter({ ...office.deps, changes: { ...office.changes, takeSecret } });

    expect((await counter.take(ADA, ID)).secret.reveal()).toBe('svc-bsat-1');
  });

  it('is shown to one of two clicks', async () => {
    const { counter } = await afterCreation();
    const clicks = await Promise.allSettled([counter.take(ADA, ID), counter.take(ADA, ID)]);

    expect(clicks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is shown to nobody else, nor to a requester without the role', async () => {
    const { office, counter } = await afterCreation();

    await expect(counter.take(BEN, ID)).rejects.toThrow('Only the requester');

    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: [] });

    await expect(counter.take(ADA, ID)).rejects.toThrow('has no role');

    office.people.set(ADA.userId, new Refusal('Slack does not say.'));

    await expect(counter.take(ADA, ID)).rejects.toThrow('Slack does not say.');
    await expect(office.now()).resolves.toMatchObject({ secret: { state: 'sealed' } });
  });

  it('waits on when the key has gone', async () => {
    const { office } = await afterCreation();
    const counter = createCounter({ ...office.deps, vault: undefined });

    await expect(counter.take(ADA, ID)).rejects.toThrow('SECRET_KEY');
    await expect(office.now()).resolves.toMatchObject({ secret: { state: 'sealed' } });
  });

  it('is given up when it cannot be opened, or is not there', async () => {
    const { office, counter } = await afterCreation();
    await office.changes.takeSecret(ID);

    await expect(counter.take(ADA, ID)).rejects.toThrow('could not be opened');
    await expect(office.now()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    expect(office.advanced).toEqual([ID]);
  });

  it('is put away for good when nobody knows whether it was taken', async () => {
    const { office } = await afterCreation();
    const takeSecret = () => Promise.reject(new Error('the store is away'));
    const counter = createCounter({ ...office.deps, changes: { ...office.changes, takeSecret } });

    await expect(counter.take(ADA, ID)).rejects.toThrow('could not be opened');
    await expect(office.changes.takeSecret(ID)).resolves.toBeUndefined();
  });

  it('is given up when Slack did not show it, and the token is deleted', async () => {
    const { office, counter } = await afterCreation();
    const taken = await counter.take(ADA, ID);
    await taken.lost();

    expect(office.advanced).toEqual([ID]);
    await expect(office.advance()).resolves.toMatchObject({
      secret: { state: 'lapsed', cleaned: expect.stringContaining('The token was deleted') },
    });
    expect(office.calls).toEqual(['send', 'remove t1']);
    await expect(counter.take(ADA, ID)).rejects.toThrow('nobody saw it in time');
  });

  it('is given up a minute after it was opened and nothing was heard', async () => {
    const { office, counter } = await afterCreation();
    await counter.take(ADA, ID);
    office.clock.at += MINUTE - 1;

    await expect(office.advance()).resolves.toMatchObject({ secret: { state: 'opening' } });

    office.clock.at += 1;

    await expect(office.advance()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    expect(office.calls).toEqual(['send', 'remove t1']);
  });

  it('is given up when nobody has revealed it in time', async () => {
    const { office, counter } = await afterCreation();
    office.clock.at += 15 * MINUTE;

    await expect(counter.take(ADA, ID)).rejects.toThrow('was not revealed in time');
    await expect(office.advance()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    await expect(office.changes.takeSecret(ID)).resolves.toBeUndefined();
    expect(office.calls).toEqual(['send', 'remove t1']);
  });

  it('is nothing to be revealed where there is none', async () => {
    const lost = await withSecret({ state: 'lost' });

    await expect(createCounter(lost.deps).take(ADA, ID)).rejects.toThrow('nobody saw it');

    const plain = fakeOffice();
    await plain.file({ state: 'succeeded' });

    await expect(createCounter(plain.deps).take(ADA, ID)).rejects.toThrow('no secret');
    await expect(createCounter(plain.deps).take(ADA, 'nothing1')).rejects.toThrow('no secret');
  });

  it('is not sealed by whoever finds the change touched meanwhile: the token may be gone', async () => {
    const office = fakeOffice();
    await office.file({ ...approved(), order: TOKEN });
    office.send = async () => {
      const change = await office.now();
      await office.changes.move(change, { kind: 'wait', at: REQUESTED_AT, until: REQUESTED_AT });
      return { secret: { value: new Secret('svc-bsat-1'), what: 'token', tokenId: 't1' } };
    };

    await expect(office.advance()).resolves.toMatchObject({ state: 'executing' });
    await expect(office.changes.takeSecret(ID)).resolves.toBeUndefined();
  });
});

describe('a token whose secret was given up', () => {
  it('is deleted until that succeeds, with pauses that double up to 10 minutes', async () => {
    const office = await withSecret({ tokenId: 't1' });
    office.removeToken = () => Promise.reject(LOST);
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      const { retryAt = 0 } = await office.advance();
      pauses.push((retryAt - office.clock.at) / 1_000);
      office.clock.at = retryAt;
    }

    expect(pauses).toEqual([10, 10, 20, 40, 80, 160, 320, 600, 600]);

    office.removeToken = () =>
      Promise.reject(new PlatformError('not-found', 'gone', { status: 404 }));

    expect((await office.advance()).secret?.cleaned).toContain('The token was deleted');
  });

  it('is left to a person after a day', async () => {
    const office = await withSecret({ tokenId: 't1' });
    office.removeToken = () => Promise.reject(LOST);
    office.clock.at += 24 * 60 * MINUTE;

    expect((await office.advance()).secret?.cleaned).toContain('/billing tokens delete');
  });

  it('is not taken for gone when it is the account that is not found', async () => {
    const office = await withSecret({ tokenId: 't1' });
    office.removeToken = () =>
      Promise.reject(
        new PlatformError('not-found', 'gone', { status: 404, credential: 'account' }),
      );

    expect((await office.advance()).secret).not.toHaveProperty('cleaned');
  });

  it('is looked for where the platform did not say which it is', async () => {
    const office = await withSecret({});
    office.settle = async () => ({ kind: 'secret lost', what: 'token', tokenIds: ['t7'] });
    await office.advance();

    expect(office.calls).toEqual(['remove t7']);

    const gone = await withSecret({});

    expect((await gone.advance()).secret?.cleaned).toContain('The token was deleted');

    const unclear = await withSecret({});
    unclear.settle = async () => ({ kind: 'unclear' });

    expect((await unclear.advance()).secret).not.toHaveProperty('cleaned');
  });

  it('is a key of a superuser that no API deletes', async () => {
    const office = await withSecret({ what: 'superuser key' });

    expect((await office.advance()).secret?.cleaned).toContain('delete it in the org itself');
    expect(office.calls).toEqual([]);
  });
});
