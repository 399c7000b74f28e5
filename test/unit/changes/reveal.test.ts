import { describe, expect, it } from 'vitest';
import { CLEANED, NOT_CLEANED } from '../../../src/changes/ends.ts';
import type { Sealed } from '../../../src/changes/change.ts';
import { createSecretReveal } from '../../../src/changes/reveal.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT } from '../../support/changes.ts';
import { ADA, approved, BEN, fakeContext, MINUTE, TOKEN } from './fake-context.ts';

const ID = 'k3m9x2ab';
const LOST = new PlatformError('timeout', 'no answer');

/** A token that was created for Ada, and waits for her. */
async function afterCreation(tokenId: string | undefined = 't1') {
  const fake = fakeContext();
  await fake.file({ ...approved(), order: TOKEN });
  fake.send = async () => ({
    secret: { value: new Secret('svc-bsat-1'), what: 'token', ...(tokenId && { tokenId }) },
  });
  await fake.advance();
  return { fake, secrets: createSecretReveal(fake.context) };
}

/** A change whose secret is in that state. */
async function withSecret(secret: Partial<Sealed>) {
  const fake = fakeContext();
  await fake.file({
    ...approved(),
    order: TOKEN,
    state: 'succeeded',
    marks: {},
    secret: { state: 'lapsed', what: 'token', at: REQUESTED_AT, until: REQUESTED_AT, ...secret },
  });
  return fake;
}

describe('a secret', () => {
  it('is sealed in the step in which the change succeeds, for 15 minutes', async () => {
    const { fake } = await afterCreation();
    const change = await fake.now();

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
    const { fake, secrets } = await afterCreation();
    fake.clock.at += 15 * MINUTE - 1;
    const taken = await secrets.take(ADA, ID);

    expect(taken.secret.reveal()).toBe('svc-bsat-1');
    await expect(secrets.take(ADA, ID)).rejects.toThrow('being shown at this moment');

    await taken.shown();

    await expect(fake.now()).resolves.toMatchObject({ secret: { state: 'revealed' } });
    await expect(secrets.take(ADA, ID)).rejects.toThrow(
      'was revealed already, and can be shown only once. If you did not put it away, delete it with /billing tokens delete,',
    );

    fake.clock.at += 60 * MINUTE;
    await fake.advance();

    expect(fake.calls).toEqual(['send']);
  });

  it('is there for a click in the last second of the 15 minutes, and a minute longer', async () => {
    const { fake } = await afterCreation();
    fake.clock.at += 15 * MINUTE - 1_000;
    const takeSecret = (id: string) => {
      fake.clock.at += MINUTE;
      return fake.changes.takeSecret(id);
    };
    const secrets = createSecretReveal({
      ...fake.context,
      changes: { ...fake.changes, takeSecret },
    });

    expect((await secrets.take(ADA, ID)).secret.reveal()).toBe('svc-bsat-1');
  });

  it('is shown to no other person, nor to a requester without the role', async () => {
    const { fake, secrets } = await afterCreation();

    await expect(secrets.take(BEN, ID)).rejects.toThrow(
      'Only the requester can reveal this, and only once: if you need one',
    );

    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: [] });

    await expect(secrets.take(ADA, ID)).rejects.toThrow('You need the role');

    fake.people.set(ADA.userId, new Refusal('Slack is silent.'));

    await expect(secrets.take(ADA, ID)).rejects.toThrow('Slack is silent.');
    await expect(fake.now()).resolves.toMatchObject({ secret: { state: 'sealed' } });
  });

  it('waits on when the key has gone', async () => {
    const { fake } = await afterCreation();
    const secrets = createSecretReveal({ ...fake.context, cipher: undefined });

    await expect(secrets.take(ADA, ID)).rejects.toThrow('SECRET_KEY');
    await expect(fake.now()).resolves.toMatchObject({ secret: { state: 'sealed' } });
  });

  it('is given up when it cannot be opened, or is not there', async () => {
    const { fake, secrets } = await afterCreation();
    await fake.changes.takeSecret(ID);

    await expect(secrets.take(ADA, ID)).rejects.toThrow('could not be opened');
    await expect(fake.now()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    expect(fake.advanced).toEqual([ID]);
  });

  it('is put away for good when no one knows whether it was taken', async () => {
    const { fake } = await afterCreation();
    const takeSecret = () => Promise.reject(new Error('the store is away'));
    const secrets = createSecretReveal({
      ...fake.context,
      changes: { ...fake.changes, takeSecret },
    });

    await expect(secrets.take(ADA, ID)).rejects.toThrow('could not be opened');
    await expect(fake.changes.takeSecret(ID)).resolves.toBeUndefined();
  });

  it('is given up when Slack did not show it, and the token is deleted', async () => {
    const { fake, secrets } = await afterCreation();
    const taken = await secrets.take(ADA, ID);
    await taken.lost();

    expect(fake.advanced).toEqual([ID]);
    await expect(fake.advance()).resolves.toMatchObject({
      secret: { state: 'lapsed', cleaned: CLEANED },
    });
    expect(fake.calls).toEqual(['send', 'remove t1']);
    await expect(secrets.take(ADA, ID)).rejects.toThrow(
      'The token can no longer be shown: a message of Purser to you',
    );
  });

  it('is given up on a Redis that was restored, and its token stays: it may have been shown before', async () => {
    const { fake } = await afterCreation();
    const durability = { ...fake.durability, moment: async () => ({ run: 'another', at: 0 }) };
    const taken = await createSecretReveal({ ...fake.context, durability }).take(ADA, ID);
    await taken.lost();
    await fake.advance();

    await expect(fake.now()).resolves.toMatchObject({
      secret: { state: 'lapsed', kept: true, cleaned: { code: 'kept' } },
    });
    expect(fake.calls).toEqual(['send']);
  });

  it('is given up when a minute has passed since it was opened without an answer', async () => {
    const { fake, secrets } = await afterCreation();
    await secrets.take(ADA, ID);
    fake.clock.at += MINUTE - 1;

    await expect(fake.advance()).resolves.toMatchObject({ secret: { state: 'opening' } });

    fake.clock.at += 1;

    await expect(fake.advance()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    expect(fake.calls).toEqual(['send', 'remove t1']);
  });

  it('is given up when no one has revealed it in time', async () => {
    const { fake, secrets } = await afterCreation();
    fake.clock.at += 15 * MINUTE;

    await expect(secrets.take(ADA, ID)).rejects.toThrow('can no longer be shown');
    await expect(fake.advance()).resolves.toMatchObject({ secret: { state: 'lapsed' } });
    await expect(fake.changes.takeSecret(ID)).resolves.toBeUndefined();
    expect(fake.calls).toEqual(['send', 'remove t1']);
  });

  it('is not sealed by anyone who finds the change touched meanwhile: the token may be gone', async () => {
    const fake = fakeContext();
    await fake.file({ ...approved(), order: TOKEN });
    fake.send = async () => {
      const change = await fake.now();
      await fake.changes.move(change, { kind: 'wait', at: REQUESTED_AT, until: REQUESTED_AT });
      return { secret: { value: new Secret('svc-bsat-1'), what: 'token', tokenId: 't1' } };
    };

    await expect(fake.advance()).resolves.toMatchObject({ state: 'executing' });
    await expect(fake.changes.takeSecret(ID)).resolves.toBeUndefined();
  });
});

describe('a token whose secret was given up', () => {
  it('is deleted until that succeeds, with pauses that double up to 10 minutes', async () => {
    const fake = await withSecret({ tokenId: 't1' });
    fake.removeToken = () => Promise.reject(LOST);
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      const { retryAt = 0 } = await fake.advance();
      pauses.push((retryAt - fake.clock.at) / 1_000);
      fake.clock.at = retryAt;
    }

    expect(pauses).toEqual([10, 10, 20, 40, 80, 160, 320, 600, 600]);

    fake.removeToken = () =>
      Promise.reject(new PlatformError('not-found', 'gone', { status: 404 }));

    expect((await fake.advance()).secret?.cleaned).toEqual(CLEANED);
  });

  it('is left to a person after a day', async () => {
    const fake = await withSecret({ tokenId: 't1' });
    fake.removeToken = () => Promise.reject(LOST);
    fake.clock.at += 24 * 60 * MINUTE;

    expect((await fake.advance()).secret?.cleaned).toEqual(NOT_CLEANED);
  });

  it('is not taken for gone when it is the account that is not found', async () => {
    const fake = await withSecret({ tokenId: 't1' });
    fake.removeToken = () =>
      Promise.reject(
        new PlatformError('not-found', 'gone', { status: 404, credential: 'account' }),
      );

    expect((await fake.advance()).secret).not.toHaveProperty('cleaned');
  });

  it('is looked for where the platform omitted which it is', async () => {
    const fake = await withSecret({});
    fake.settle = () => ({ kind: 'secret lost', what: 'token', tokenIds: ['t7'] });
    await fake.advance();

    expect(fake.calls).toEqual(['remove t7']);

    const gone = await withSecret({});

    expect((await gone.advance()).secret?.cleaned).toEqual(CLEANED);

    const unclear = await withSecret({});
    unclear.settle = () => ({ kind: 'unclear' });

    expect((await unclear.advance()).secret).not.toHaveProperty('cleaned');
  });
});
