import { describe, expect, it } from 'vitest';
import type { Need } from '../../../src/access/changes.ts';
import type { Order } from '../../../src/changes/change.ts';
import { createDesk } from '../../../src/changes/request.ts';
import { Refusal } from '../../../src/lib/refusal.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { createMemoryChanges, REQUESTED_AT } from '../../support/changes.ts';
import { ADA, BEN, fakeOffice, planTo, TOKEN } from './fake-office.ts';

const ORDER: Order = { kind: 'alert.replace', amount: 500, enabled: true };
const OFF = { approvals: { required: false, allowSelf: false } };

describe('asking for a change', () => {
  it('files what is asked, by whom, until when, and with what it would do', async () => {
    const office = fakeOffice();
    const { kind, change } = await createDesk(office.deps).request(ADA, ORDER);

    expect(kind).toBe('requested');
    expect(change).toEqual(await office.now());
    expect(change).toMatchObject({
      order: ORDER,
      title: 'Set the spend alert to 500.00 USD',
      approvers: ['billing_admin'],
      state: 'pending',
      requester: { ...ADA, email: 'ada@acme.example' },
      expiresAt: REQUESTED_AT + 8 * 3_600_000,
      plan: planTo('500.00 USD'),
      channel: 'C0APPROVALS',
      dm: 'D0ADA',
      group: 'S0ADMINS',
    });
  });

  it('is not stopped by a Slack that does not say where to write or whom to mention', async () => {
    const away = () => Promise.reject(new Error('slack is away'));
    const office = fakeOffice({ directChannel: away, groupFor: away });
    const { change } = await createDesk(office.deps).request(ADA, ORDER);

    expect(change.state).toBe('pending');
    expect([change.dm, change.group]).toEqual([undefined, undefined]);
  });

  it('names all who could approve it, and nobody where a right is all it takes', async () => {
    const office = fakeOffice();
    const asked: unknown[] = [];
    const filed = (approve: Need) =>
      createDesk({
        ...office.deps,
        kindOf: () => ({ ...office.kind, needs: { request: 'orgs', approve } }),
        changes: createMemoryChanges(),
        groupFor: async (roles) => void asked.push(roles),
        standing: async (person, needed) => {
          asked.push(needed);
          return office.deps.standing(person);
        },
      }).request(ADA, ORDER);

    await expect(filed({ roles: ['billing_admin', 'org_creator'] })).resolves.toMatchObject({
      change: { approvers: ['billing_admin', 'org_creator'] },
    });
    await expect(filed('orgs')).resolves.toMatchObject({
      change: { approvers: [] },
    });
    expect(asked).toEqual([{ orgs: true }, ['billing_admin', 'org_creator'], { orgs: true }]);
  });

  it('a second time tells of the first one', async () => {
    const office = fakeOffice();
    const first = await createDesk(office.deps).request(ADA, ORDER);
    const desk = createDesk({ ...office.deps, newId: () => 'another1' });

    await expect(desk.request(BEN, ORDER)).resolves.toEqual({ kind: 'same', change: first.change });
    // Asking twice is no approval.
    await expect(desk.request(ADA, ORDER)).resolves.toEqual({ kind: 'same', change: first.change });
    await expect(office.changes.count()).resolves.toBe(1);
  });

  it('is refused beyond ten of the same person, and says what to do', async () => {
    const office = fakeOffice();
    let id = 0;
    const desk = createDesk({ ...office.deps, newId: () => `request${(id += 1)}` });
    const ask = (who: typeof ADA, amount: number) =>
      desk.request(who, { kind: 'alert.replace', amount, enabled: true });
    for (let amount = 1; amount <= 10; amount += 1) await ask(ADA, amount);

    await expect(ask(ADA, 11)).rejects.toThrow(
      new Refusal(
        'You have 10 open requests, and nobody may have more: withdraw one of them, which /changes shows, or wait until one is decided.',
      ),
    );

    await expect(ask(BEN, 11)).resolves.toMatchObject({ kind: 'requested' });
    await expect(ask(ADA, 5)).resolves.toMatchObject({ kind: 'same' });
    await expect(office.changes.count()).resolves.toBe(11);
  });

  it('takes the role now, and nobody asks for a change of their own user', async () => {
    const office = fakeOffice();
    const desk = createDesk(office.deps);
    office.subjects = ['Ada@acme.example'];

    await expect(desk.request(ADA, ORDER)).rejects.toThrow('your own billing user');
    await expect(desk.preview(ADA, ORDER)).rejects.toThrow('your own billing user');
    await expect(desk.admit(ADA, 'user.roles', ['ADA@acme.example'])).rejects.toThrow('your own');
    await expect(desk.admit(ADA, 'user.roles', ['ben@acme.example'])).resolves.toBeUndefined();
    await expect(desk.admit(ADA, 'user.roles')).resolves.toBeUndefined();

    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] });

    await expect(desk.admit(ADA, 'alert.replace')).rejects.toThrow('the role billing_admin');
    await expect(office.changes.count()).resolves.toBe(0);
  });

  it('is refused while Slack or the platform does not say, and where billing is off', async () => {
    const office = fakeOffice();
    office.people.set(ADA.userId, new Refusal('Slack does not say who you are.'));

    await expect(createDesk(office.deps).request(ADA, ORDER)).rejects.toThrow('does not say who');

    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_admin'] });
    office.look = () => Promise.reject(new PlatformError('timeout', 'no answer'));

    await expect(createDesk(office.deps).request(ADA, ORDER)).rejects.toThrow('no answer');

    const platform = () => {
      throw new Refusal('Billing is off here.');
    };
    const desk = createDesk({ ...office.deps, platform });

    await expect(desk.admit(ADA, 'alert.replace')).rejects.toThrow('Billing is off here');
    await expect(desk.request(ADA, ORDER)).rejects.toThrow('Billing is off here');
  });

  it('is refused with the next step when something stands against it', async () => {
    const office = fakeOffice();
    office.sight = { ...office.sight, conflict: 'There is an alert already: see /alert.' };

    await expect(createDesk(office.deps).request(ADA, ORDER)).rejects.toThrow('see /alert');
    await expect(createDesk(office.deps).preview(ADA, ORDER)).rejects.toThrow('see /alert');
  });

  it('can be looked at beforehand, and nothing is filed by that', async () => {
    const office = fakeOffice();

    await expect(createDesk(office.deps).preview(ADA, ORDER)).resolves.toEqual(
      planTo('500.00 USD'),
    );
    await expect(office.changes.count()).resolves.toBe(0);
  });

  it('is off for kinds with a secret that nothing could seal', async () => {
    const office = fakeOffice({ vault: undefined });
    const desk = createDesk(office.deps);

    await expect(desk.admit(ADA, 'token.create')).rejects.toThrow('SECRET_KEY');
    await expect(desk.request(ADA, TOKEN)).rejects.toThrow('SECRET_KEY');
    await expect(desk.admit(ADA, 'alert.replace')).resolves.toBeUndefined();
  });
});

describe('asking with APPROVALS=off', () => {
  it('approves in the same breath, in nobody’s name, and gets a worker going', async () => {
    const office = fakeOffice(OFF);
    const { change } = await createDesk(office.deps).request(ADA, ORDER);

    expect(change).toEqual(await office.now());
    expect(change.state).toBe('approved');
    expect(change.decision).toEqual({
      verdict: 'approve',
      at: REQUESTED_AT,
      comment: '',
      self: false,
    });
    expect(office.advanced).toEqual([change.id]);
  });

  it('takes what it takes to approve as well, because nobody else looks at it', async () => {
    const office = fakeOffice(OFF);
    const needs = { request: 'orgs', approve: { roles: ['billing_admin'] } } as const;
    const desk = createDesk({ ...office.deps, kindOf: () => ({ ...office.kind, needs }) });
    office.people.set(ADA.userId, { email: 'ada@acme.example', roles: ['billing_viewer'] });

    await expect(desk.request(ADA, ORDER)).rejects.toThrow('the role billing_admin');
  });

  it('is not stopped when no worker can be called: the sweep finds it', async () => {
    const advance = () => Promise.reject(new Error('the queue is away'));
    const office = fakeOffice({ ...OFF, advance });

    await expect(createDesk(office.deps).request(ADA, ORDER)).resolves.toMatchObject({
      change: { state: 'approved' },
    });
  });

  it('goes on where a crash cut off the breath, for the one who asks again', async () => {
    const office = fakeOffice(OFF);
    const waiting = await office.file({ order: ORDER });
    const desk = createDesk({ ...office.deps, newId: () => 'another1' });

    await expect(desk.request(BEN, ORDER)).resolves.toEqual({ kind: 'same', change: waiting });
    await expect(desk.request(ADA, ORDER)).resolves.toMatchObject({
      kind: 'requested',
      change: { id: waiting.id, state: 'approved' },
    });
    await expect(desk.request(ADA, ORDER)).resolves.toMatchObject({
      kind: 'same',
      change: { state: 'approved' },
    });
  });
});
