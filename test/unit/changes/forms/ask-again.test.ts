import { describe, expect, it, test } from 'vitest';
import { askAgainButton, type FormName } from '../../../../src/changes/forms/form.ts';
import type { ChangeInput } from '../../../../src/changes/kinds/kinds.ts';
import { LIMITS } from '../../../../src/slack/kit/text.ts';
import { formHarness, startOf, user, type PlatformData } from './harness.ts';

const ACCOUNT: PlatformData = {
  alert: {},
  users: [user('cleo@acme.example', 'billing_viewer')],
  tokens: [{ id: 't-1', name: 'ci' }],
  recipients: [
    { id: 'r-1', email: 'on@acme.example', enabled: true },
    { id: 'r-2', email: 'off@acme.example', enabled: false },
  ],
  quotas: [{ name: 'workloads', max: '50' }],
};
const REASON = 'Expired at night, FIN-18';
const { alert: _, ...WITHOUT_ALERT } = ACCOUNT;

const ORG: ChangeInput = {
  kind: 'org.create',
  name: 'acme-staging',
  description: 'For trials',
  tags: { team: 'core', note: '[a, b]' },
  invitees: ['dana@acme.example', 'finn@acme.example'],
  superuser: true,
};

/** The form that a click on the button opens, and the order that it sends unchanged. */
async function askedAgain(order: ChangeInput, has = ACCOUNT) {
  const harness = formHarness(has);
  const { action_id: actionId = '', value } = askAgainButton({ order, reason: REASON });
  const form = await harness.openWith(actionId, value);
  const name = actionId.replace('changes.ask.', '') as FormName;
  const typed = order.kind === 'org.create' ? { 'Type the name again': order.name } : {};
  const { errors } = await harness.submit(name, form, typed);
  return { form, errors, asked: harness.orders.at(-1), reason: harness.reasons.at(-1) };
}

describe('Ask again', () => {
  test.each<[ChangeInput, PlatformData?]>([
    [{ kind: 'alert.create', amount: 512.5, enabled: false }, WITHOUT_ALERT],
    [{ kind: 'alert.replace', amount: 512.5, enabled: true }],
    [{ kind: 'alert.replace', amount: 400, enabled: false }],
    [{ kind: 'alert.delete' }],
    [{ kind: 'user.add', email: 'finn@acme.example', roles: ['billing_viewer', 'org_creator'] }],
    [{ kind: 'user.roles', email: 'cleo@acme.example', roles: ['billing_admin', 'org_creator'] }],
    [{ kind: 'user.remove', email: 'cleo@acme.example' }],
    [
      {
        kind: 'token.create',
        name: 'nightly',
        description: 'Reads charges',
        roles: ['org_creator'],
        expiresAt: '2027-12-31T23:59:59Z',
      },
    ],
    [{ kind: 'token.create', name: 'nightly', description: '', roles: ['billing_admin'] }],
    [{ kind: 'token.delete', tokenId: 't-1', name: 'ci' }],
    [ORG],
    [{ kind: 'recipient.add', email: 'audit@acme.example', enabled: false }],
    [{ kind: 'recipient.enable', recipientId: 'r-2', email: 'off@acme.example' }],
    [{ kind: 'recipient.disable', recipientId: 'r-1', email: 'on@acme.example' }],
    [{ kind: 'recipient.delete', recipientId: 'r-1', email: 'on@acme.example' }],
    [{ kind: 'quota.request', org: 'globex', quotaName: 'workloads', requestedMax: 80 }],
  ])('opens the form with all values of $kind, and the reason', async (order, has) => {
    const { errors, asked, reason } = await askedAgain(order, has);

    expect(errors).toBeUndefined();
    expect(asked).toEqual(order);
    expect(reason).toBe(REASON);
  });

  it('leaves the confirmation of a permanent name to be typed', async () => {
    const { form } = await askedAgain(ORG);

    expect(startOf(form, 'Name')).toBe('acme-staging');
    expect(startOf(form, 'Type the name again')).toBeUndefined();
  });

  it('asks for one’s own roles at the address of the person who clicks', () => {
    const own = { kind: 'user.add', email: 'cleo@acme.example', own: true } as const;

    const button = askAgainButton({ order: { ...own, roles: ['org_creator'] }, reason: REASON });

    expect(button.action_id).toBe('changes.ask.access.ask');
    expect(JSON.parse(button.value ?? '')).toEqual({ roles: 'org_creator', reason: REASON });
  });

  it('leaves out values that do not fit into a button', () => {
    const invitees = Array.from({ length: 50 }, (_, at) => `a-rather-long-name-${at}@acme.example`);
    const order = { ...ORG, invitees, description: '"'.repeat(500) } as ChangeInput;

    const { value = '' } = askAgainButton({ order, reason: 'r'.repeat(300) });

    expect(value.length).toBeLessThanOrEqual(LIMITS.buttonValue);
    expect(Object.keys(JSON.parse(value) as object)).toEqual([
      'name',
      'description',
      'tags',
      'superuser',
      'reason',
    ]);
  });
});
