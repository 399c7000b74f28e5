import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { createRequestService } from '../../../src/changes/request.ts';
import { conflict } from '../../../src/changes/kinds/kind.ts';
import { Refusal } from '../../../src/lib/errors.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { REQUESTED_AT, requestedBy } from '../../support/changes.ts';
import { ADA, BEN, fakeContext, planTo, TOKEN } from './fake-context.ts';
import type { ChangeInput } from '../../../src/changes/kinds/kinds.ts';

const ORDER: ChangeInput = { kind: 'alert.replace', amount: 500, enabled: true };
const OFF = { approvals: { required: false, allowSelf: false } };

describe('asking for a change', () => {
  it('files the order with its requester, its deadline and its consequences', async () => {
    const fake = fakeContext();
    const { kind, change } = await requestedBy(createRequestService(fake.context), ADA, ORDER);

    expect(kind).toBe('requested');
    expect(change).toEqual(await fake.now());
    expect(change).toMatchObject({
      order: ORDER,
      title: 'Set the spend alert to $500.00',
      approvers: ['billing_admin'],
      state: 'pending',
      requester: { ...ADA, email: 'ada@acme.example' },
      expiresAt: REQUESTED_AT + 8 * 3_600_000,
      plan: planTo('$500.00'),
      channel: 'C0APPROVALS',
      dm: 'D0ADA',
      group: 'S0ADMINS',
    });
  });

  it('is not stopped by a Slack that omits where to write or which group to mention', async () => {
    const away = () => Promise.reject(new Error('slack is away'));
    const fake = fakeContext({ directChannel: away, groupFor: away });
    const { change } = await requestedBy(createRequestService(fake.context), ADA, ORDER);

    expect(change.state).toBe('pending');
    expect([change.dm, change.group]).toEqual([undefined, undefined]);
  });

  it.each([
    ['19 were made', async () => ({ count: 19, leftMs: HOUR_MS }), undefined],
    [
      '20 were made',
      async () => ({ count: 20, leftMs: HOUR_MS }),
      'You have made 20 requests, the most that one person can make in a day: go on in 1 h.',
    ],
    ['Redis is away', () => Promise.reject(new Error('away')), undefined],
    ['there is no limit', undefined, undefined],
  ])('has a limit that a form can ask for: %s', async (_, countRequests, sentence) => {
    const context = { ...fakeContext().context, ...(countRequests && { countRequests }) };

    expect(await createRequestService(context).limit(ADA)).toBe(sentence);
  });

  it('has a limit of ten open requests, which a form can ask for, too', async () => {
    const fake = fakeContext();
    const requests = createRequestService(fake.context);
    for (let count = 0; count < 9; count += 1) {
      await fake.file({ id: `open000${count}`, order: { ...ORDER, amount: count + 1 } });
    }
    expect(await requests.limit(ADA)).toBeUndefined();
    await fake.file({ id: 'open0009', order: { ...ORDER, amount: 10 } });

    expect(await requests.limit(ADA)).toContain('You have 10 open requests, the most');
    expect(await requests.limit(BEN)).toBeUndefined();
  });

  it('names all who could approve it, and uses no role where a right is all it takes', async () => {
    const asked: unknown[] = [];
    const fake = fakeContext({ groupFor: async (roles) => void asked.push(roles) });
    const { principal } = fake.context.access;
    fake.context.access.principal = (person, needed) => {
      asked.push(needed);
      return principal(person);
    };
    const approve = { roles: ['billing_admin', 'org_creator'] } as const;
    fake.kind = { ...fake.kind, needs: { request: 'orgs', approve } };

    const { change } = await requestedBy(createRequestService(fake.context), ADA, ORDER);

    expect(change.approvers).toEqual(approve.roles);
    expect(asked).toEqual([{ orgs: true, uses: [] }, approve.roles]);
  });

  it('a second time reports the first one', async () => {
    const fake = fakeContext();
    const first = await requestedBy(createRequestService(fake.context), ADA, ORDER);
    const requests = createRequestService({ ...fake.context, newId: () => 'another1' });

    await expect(requestedBy(requests, BEN, ORDER)).resolves.toEqual({
      kind: 'same',
      change: first.change,
    });
    // Asking twice is no approval.
    await expect(requestedBy(requests, ADA, ORDER)).resolves.toEqual({
      kind: 'same',
      change: first.change,
    });
    await expect(fake.changes.count()).resolves.toBe(1);
  });

  it('is refused beyond ten of the same person, and names the next step', async () => {
    const fake = fakeContext();
    let id = 0;
    const requests = createRequestService({ ...fake.context, newId: () => `request${(id += 1)}` });
    const ask = (who: typeof ADA, amount: number) =>
      requestedBy(requests, who, { kind: 'alert.replace', amount, enabled: true });
    for (let amount = 1; amount <= 10; amount += 1) await ask(ADA, amount);

    await expect(ask(ADA, 11)).rejects.toThrow(
      new Refusal(
        'You have 10 open requests, the most that one person can have: withdraw one, which /changes lists, or wait until one is decided.',
      ),
    );

    await expect(ask(BEN, 11)).resolves.toMatchObject({ kind: 'requested' });
    await expect(ask(ADA, 5)).resolves.toMatchObject({ kind: 'same' });
    await expect(fake.changes.count()).resolves.toBe(11);
  });

  it('takes the role now, and no one asks for a change of their own user', async () => {
    const fake = fakeContext();
    const requests = createRequestService(fake.context);
    fake.subjects = ['Ada@acme.example'];
    fake.look = () => Promise.reject(new Error('the current state was read'));

    await expect(requestedBy(requests, ADA, ORDER)).rejects.toThrow('your own billing user');
    await expect(requests.consider(ADA, ORDER)).rejects.toThrow('your own billing user');
    await expect(requests.authorize(ADA, 'user.roles', ['ADA@acme.example'])).rejects.toThrow(
      'your own',
    );
    await expect(
      requests.authorize(ADA, 'user.roles', ['ben@acme.example']),
    ).resolves.toBeUndefined();
    await expect(requests.authorize(ADA, 'user.roles')).resolves.toBeUndefined();

    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] });

    await expect(requests.authorize(ADA, 'alert.replace')).rejects.toThrow(
      'the role billing_admin',
    );
    await expect(fake.changes.count()).resolves.toBe(0);
  });

  it('is refused while Slack or the platform is silent, and where billing is off', async () => {
    const fake = fakeContext();
    fake.people.set(ADA.userId, new Refusal('Slack cannot identify you.'));

    await expect(requestedBy(createRequestService(fake.context), ADA, ORDER)).rejects.toThrow(
      'cannot identify you',
    );

    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_admin'] });
    fake.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));

    await expect(requestedBy(createRequestService(fake.context), ADA, ORDER)).rejects.toThrow(
      'no answer',
    );

    const platform = () => {
      throw new Refusal('Billing is off here.');
    };
    const requests = createRequestService({ ...fake.context, billing: platform });

    await expect(requests.authorize(ADA, 'alert.replace')).rejects.toThrow('Billing is off here');
    await expect(requestedBy(requests, ADA, ORDER)).rejects.toThrow('Billing is off here');
  });

  it('is refused with the next step when the current state conflicts with it', async () => {
    const fake = fakeContext();
    fake.planned = {
      ...fake.planned,
      conflict: conflict('There is an alert already: see /alert.'),
    };

    await expect(requestedBy(createRequestService(fake.context), ADA, ORDER)).rejects.toThrow(
      'see /alert',
    );
    await expect(createRequestService(fake.context).consider(ADA, ORDER)).rejects.toThrow(
      'see /alert',
    );
  });

  it('is filed as the kind resolved it', async () => {
    const fake = fakeContext();
    fake.kind.resolve = (_, input) => ({ ...input, amount: 700 }) as ChangeInput;

    const { change } = await requestedBy(createRequestService(fake.context), ADA, ORDER);

    expect(change.order).toEqual({ ...ORDER, amount: 700 });
  });

  it('is off for kinds with a secret that nothing could seal', async () => {
    const fake = fakeContext({ cipher: undefined });
    const requests = createRequestService(fake.context);

    await expect(requests.authorize(ADA, 'token.create')).rejects.toThrow('SECRET_KEY');
    await expect(requestedBy(requests, ADA, TOKEN)).rejects.toThrow('SECRET_KEY');
    await expect(requests.authorize(ADA, 'alert.replace')).resolves.toBeUndefined();
  });
});

describe('asking with APPROVALS=off', () => {
  it('approves in the same breath, in no one’s name, and gets a worker going', async () => {
    const fake = fakeContext(OFF);
    const { change } = await requestedBy(createRequestService(fake.context), ADA, ORDER);

    expect(change).toEqual(await fake.now());
    expect(change.state).toBe('approved');
    expect(change.decision).toEqual({
      verdict: 'approve',
      at: REQUESTED_AT,
      comment: '',
      self: false,
      storedAt: expect.any(Number),
    });
    expect(fake.advanced).toEqual([change.id]);
  });

  it('also needs the right to approve, because no other person looks at it', async () => {
    const fake = fakeContext(OFF);
    const needs = { request: 'orgs', approve: { roles: ['billing_admin'] } } as const;
    const requests = createRequestService({
      ...fake.context,
      kindOf: () => ({ ...fake.kind, needs }),
    });
    fake.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] });

    await expect(requestedBy(requests, ADA, ORDER)).rejects.toThrow('the role billing_admin');
  });

  it('is not stopped when no worker can be called: the sweep finds it', async () => {
    const add = () => Promise.reject(new Error('the queue is away'));
    const fake = fakeContext({ ...OFF, jobs: { add } });

    await expect(
      requestedBy(createRequestService(fake.context), ADA, ORDER),
    ).resolves.toMatchObject({
      change: { state: 'approved' },
    });
  });

  it('goes on where a crash cut off the breath, for the one who asks again', async () => {
    const fake = fakeContext(OFF);
    const waiting = await fake.file({ order: ORDER });
    const requests = createRequestService({ ...fake.context, newId: () => 'another1' });

    await expect(requestedBy(requests, BEN, ORDER)).resolves.toEqual({
      kind: 'same',
      change: waiting,
    });
    await expect(requestedBy(requests, ADA, ORDER)).resolves.toMatchObject({
      kind: 'requested',
      change: { id: waiting.id, state: 'approved' },
    });
    await expect(requestedBy(requests, ADA, ORDER)).resolves.toMatchObject({
      kind: 'same',
      change: { state: 'approved' },
    });
  });

  it('does not go on with it after Redis was restored: it may be older than its call', async () => {
    const fake = fakeContext(OFF);
    fake.repeatable = false;
    const { id } = await fake.file({ order: ORDER, run: 'run 1' });
    fake.durability.run = 'run 2';
    const requests = createRequestService({ ...fake.context, newId: () => 'another1' });

    await expect(requestedBy(requests, ADA, ORDER)).rejects.toThrow(
      'it may have been carried out already: reject or withdraw it',
    );
    expect((await fake.changes.get(id))?.state).toBe('pending');
  });
});
