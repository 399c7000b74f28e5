import { BigNumber } from 'bignumber.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { planHash } from '../../../../src/changes/change.ts';
import { createKinds } from '../../../../src/changes/kinds/kinds.ts';
import {
  createRequestService,
  createReviewService,
  type RequestService,
} from '../../../../src/changes/request.ts';
import { Refusal } from '../../../../src/lib/errors.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { readBy } from '../../../support/audience.ts';
import { memoryIdentities } from '../../../support/identities.ts';
import { BEN, fakeContext } from '../fake-context.ts';
import {
  ADA,
  AT_ONCE,
  consideredBy,
  fieldOf,
  formHarness,
  known,
  labelsOf,
  platformOf,
  startOf,
  UNSAID,
  user,
  wordsOf,
  type PlatformData,
} from './harness.ts';

/** A request service that gives always the same. */
function requestsOf(
  requested: ReturnType<typeof known>,
  over: Partial<RequestService> = {},
): RequestService {
  return {
    authorize: async () => undefined,
    limit: async () => undefined,
    consider: async (person, input) => consideredBy(person, input),
    request: async () => requested,
    ...over,
  };
}

describe('The forms', () => {
  it('have one route for each thing that can be asked for', () => {
    const { routes } = formHarness();
    const all = Object.entries(routes);

    expect(all).toHaveLength(16);
    for (const [name, { actionId, callbackId, title }] of all) {
      expect([actionId, callbackId]).toEqual([`changes.ask.${name}`, `changes.asked.${name}`]);
      expect(title.length).toBeLessThanOrEqual(24);
    }
  });

  it('say so where people from another company read the card', async () => {
    const warning = 'The card is posted to <#C0APPROVE>: people from another company read';
    const shared = formHarness({}, { audience: readBy({ isShared: true }) });

    expect(wordsOf(await shared.open('user.add'))).toContain(warning);
    expect(wordsOf(await formHarness().open('user.add'))).not.toContain(warning);
  });

  it.each([
    ['is archived', readBy({ isArchived: true })],
    ['lacks Purser', readBy({ isMember: false })],
    [
      'is hidden from it',
      { ...readBy(), audienceOf: async () => ({ unread: 'channel_not_found' }) },
    ],
  ])('say that no card can be posted where the channel %s', async (_what, audience) => {
    const warning = 'The card cannot be posted to <#C0APPROVE>';

    expect(wordsOf(await formHarness({}, { audience }).open('user.add'))).toContain(warning);
    expect(wordsOf(await formHarness().open('user.add'))).not.toContain(warning);
  });

  it('ask who it is before anything is read', async () => {
    const platformData: PlatformData = {
      alert: {},
      users: [user('a@acme.example')],
      tokens: [{}],
      recipients: [{ id: 'r-1', email: 'a@acme.example', enabled: undefined }],
      quotas: [{ name: 'gvcs' }],
    };
    const { routes, open, heard } = formHarness(platformData);
    const kindsOf: Readonly<Record<string, string>> = {
      'alert.set': 'alert.replace',
      'alert.off': 'alert.replace',
      'access.ask': 'user.roles',
    };

    for (const name of Object.keys(routes) as (keyof typeof routes)[]) {
      heard.length = 0;
      await open(name);
      const kind = kindsOf[name] ?? name;
      expect(heard[0]).toBe(`admit U0ADA ${kind}`);
      expect(heard).not.toContain('request');
    }
  });

  it('show nothing to a member without the right to ask', async () => {
    const no = () => Promise.reject(new Refusal('This takes the role billing_admin.'));
    const { open, heard } = formHarness(
      { alert: {} },
      { requests: requestsOf(known({}), { authorize: no, consider: no, request: no }) },
    );

    await expect(open('alert.set')).rejects.toThrow('This takes the role billing_admin.');
    expect(heard).toEqual([]);
  });

  it.each([
    undefined,
    '',
    'rubbish',
    '[]',
    '{"amount":{"a":1}}',
    'null',
    '"amount"',
    '{"__proto__":1}',
  ])('open empty by a button that carries %j', async (value) => {
    const form = await formHarness({ spend: UNSAID }).openWith('changes.ask.alert.set', value);

    expect(startOf(form, 'Amount')).toBeUndefined();
  });
});

it.each(['access.ask', 'identity.confirm'] as const)(
  'the form %s says with APPROVALS=off, too, that a second person has to approve it',
  async (name) => {
    const form = await formHarness({}, { config: AT_ONCE }).open(name);

    expect(form.submit).toBe('Request');
    expect(wordsOf(form)).toContain('before a second person has approved it');
  },
);

it('a request is answered also when the link to its card cannot be read', async () => {
  const link = () => Promise.reject(new Error('Slack is away'));
  const { open, submit } = formHarness({}, { link });
  const sent = await submit('alert.set', await open('alert.set', { amount: '500' }));

  expect(sent.answer?.buttons).toMatchObject([{ action_id: 'changes.show', value: 'k3m9x2ab' }]);
});

it('a request whose card cannot be posted is answered without the channel that has none', async () => {
  const audience = readBy({ isArchived: true });
  const { open, submit } = formHarness({}, { audience, link: async () => undefined });
  const sent = await submit('alert.set', await open('alert.set', { amount: '500' }));

  const said = JSON.stringify(sent.answer?.blocks);
  expect(said).toContain('It waits for approval as `k3m9x2ab`.');
  expect(said).toContain('The card cannot be posted to <#C0APPROVALS>');
});

describe('The reason', () => {
  const sendWith = async (reason: string) => {
    const harness = formHarness({ alert: {} });
    const form = await harness.open('alert.off');
    return { ...harness, sent: await harness.submit('alert.off', form, { Reason: reason }) };
  };

  it('goes to the request as one line', async () => {
    const { reasons } = await sendWith('  Audit of\n 2026 ');
    expect(reasons).toEqual(['Audit of 2026']);
  });

  it.each(['FIN-17', '预算不足'])('may be short: %s', async (reason) => {
    expect((await sendWith(reason)).reasons).toEqual([reason]);
  });

  it('is wrong beside another wrong field: both have their sentence', async () => {
    const { open, submit } = formHarness();
    const said = await submit('alert.set', await open('alert.set'), { Amount: 'x', Reason: ' ' });
    expect(Object.keys(said.errors ?? {})).toEqual(['Amount', 'Reason']);
  });
});

const RECIPIENT = { id: 'r-1', email: 'on@acme.example', enabled: undefined };
const THERE: PlatformData = {
  alert: {},
  users: [user('zoe@acme.example', 'billing_viewer')],
  tokens: [{}],
  recipients: [RECIPIENT],
  quotas: [{ name: 'gvcs' }],
};
const ORG = { Name: 'o', 'Type the name again': 'o', Invitees: 'a@acme.example' };
const NO = 'That is there already: choose another.';

/** A request service that refuses everything. */
const refusing = (): RequestService =>
  requestsOf(known({}), { consider: () => Promise.reject(new Refusal(NO)) });

describe('A conflict with the current state', () => {
  it.each([
    ['alert.set', {}, {}, 'Amount'],
    ['user.add', { email: 'a@acme.example' }, { Roles: ['org_creator'] }, 'E-mail'],
    ['user.roles', { email: 'zoe@acme.example' }, {}, 'E-mail'],
    ['user.remove', { email: 'zoe@acme.example' }, {}, 'E-mail'],
    ['token.create', { name: 'ci' }, { Roles: ['org_creator'] }, 'Name'],
    ['token.delete', { name: 'ci' }, {}, 'Name'],
    ['org.create', {}, ORG, 'Name'],
    ['recipient.add', { email: 'a@acme.example' }, {}, 'E-mail'],
    ['recipient.enable', { id: 'r-1' }, {}, 'E-mail'],
    ['recipient.disable', { id: 'r-1' }, {}, 'E-mail'],
    ['recipient.delete', { id: 'r-1' }, {}, 'E-mail'],
    ['quota.request', { name: 'gvcs' }, { 'Requested maximum': '9' }, 'Requested maximum'],
  ] as const)(
    'is shown below a field of %s, and nothing is lost',
    async (name, given, said, label) => {
      const { open, submit } = formHarness(THERE, { requests: refusing() });
      const form = await open(name, given);

      expect(labelsOf(form)).toContain(label);
      expect(await submit(name, form, said)).toEqual({ errors: { [label]: NO } });
    },
  );

  it.each(['alert.off', 'alert.delete'] as const)(
    'is reported afterwards where there is no field, as in %s',
    async (name) => {
      const { open, submit } = formHarness(THERE, { requests: refusing() });

      await expect(submit(name, await open(name))).rejects.toThrow(NO);
    },
  );

  it.each(['alert.set', 'alert.off'] as const)(
    'is an error under the reason of %s after too many requests, and the platform is not read',
    async (name) => {
      const requests = { ...refusing(), limit: async () => NO };
      const { open, submit } = formHarness(THERE, { requests });

      expect(await submit(name, await open(name))).toEqual({ errors: { Reason: NO } });
    },
  );

  it('is nothing that the platform fails at: the answer says that', async () => {
    const away = () => Promise.reject(new PlatformError('timeout', 'no answer'));
    const requests = requestsOf(known({}), { consider: away });
    const { open, submit } = formHarness({}, { requests });
    const form = await open('alert.set', { amount: '500' });

    await expect(submit('alert.set', form)).rejects.toThrow('no answer');
  });
});

describe('A platform that takes its time', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** The end of a form that is refused after so many milliseconds. */
  async function refusedAfter(ms: number) {
    const consider = () =>
      new Promise<never>((_, reject) => setTimeout(() => reject(new Refusal(NO)), ms));
    const { open, submit } = formHarness({}, { requests: requestsOf(known({}), { consider }) });
    const form = await open('alert.set', { amount: '500' });
    const submitted = submit('alert.set', form).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    return submitted;
  }

  it('is waited for as long as Slack waits', async () => {
    expect(await refusedAfter(1_100)).toEqual({ errors: { Amount: NO } });
  });

  it('is not waited for any longer: the answer has it', async () => {
    expect(await refusedAfter(1_500)).toEqual(new Refusal(NO));
  });
});

describe('A change of the requester’s own user', () => {
  const OWN = 'You cannot request a change of your own billing user: ask another billing_admin.';
  const admit: RequestService['authorize'] = async (_, __, subjects) => {
    if (subjects?.includes('zoe@acme.example') === true) throw new Refusal(OWN);
  };
  const requests = requestsOf(known({}), { authorize: admit });

  it.each(['user.roles', 'user.remove'] as const)(
    'is refused before %s is filled in',
    async (name) => {
      const { open } = formHarness(THERE, { requests });

      await expect(open(name, { email: 'zoe@acme.example' })).rejects.toThrow(OWN);
      expect(labelsOf(await open(name))).toContain('E-mail');
    },
  );

  it('is refused once, below the field, when it is chosen in the open form', async () => {
    const consider: RequestService['consider'] = () => Promise.reject(new Refusal(OWN));
    const harness = formHarness(THERE, {
      requests: requestsOf(known({}), { authorize: admit, consider }),
    });
    const form = await harness.open('user.roles');
    const { block_id: id } = fieldOf(form, 'E-mail');

    const refilled = await harness.routes['user.roles'].refill?.({
      person: ADA,
      fieldId: id,
      values: { [id]: 'zoe@acme.example' },
      state: form.state,
    });

    expect(startOf(refilled ?? form, 'Roles')).toEqual(['billing_viewer']);
    expect(wordsOf(refilled ?? form)).not.toContain(OWN);
    expect(await harness.submit('user.roles', refilled ?? form, {})).toEqual({
      errors: { 'E-mail': OWN },
    });
  });
});

describe('A change of the alert, from the form to the proof', () => {
  it('reads the alert once at each step, and the charges for the form and the review', async () => {
    const data: PlatformData = { alert: {} };
    const heard: string[] = [];
    const billing = () => ({
      ...platformOf(data, heard),
      async replaceAlert({ amount, enabled }: { amount: number; enabled: boolean }) {
        heard.push('put');
        data.alert = { amount: new BigNumber(amount), enabled };
      },
    });
    const fake = fakeContext({ billing, kindOf: createKinds('USD', memoryIdentities()) });
    const requests = createRequestService(fake.context);
    const reviews = createReviewService(fake.context);
    const { open, submit } = formHarness({}, { billing, requests });
    const heardIn = async <T>(step: Promise<T>): Promise<[T, string]> => {
      heard.length = 0;
      return [await step, heard.join(' ')];
    };

    const [form, opening] = await heardIn(open('alert.set', { amount: '500' }));
    const [, requesting] = await heardIn(submit('alert.set', form));
    const { id, plan } = await fake.now();
    const [view, reviewing] = await heardIn(reviews.review(BEN, id));
    const [, approving] = await heardIn(reviews.approve(BEN, id, planHash(view.plan)));
    const [{ state }, executing] = await heardIn(fake.advance());

    expect({ opening, requesting, reviewing, approving, executing, state }).toEqual({
      opening: 'alert charges',
      requesting: 'alert',
      reviewing: 'alert charges',
      approving: 'alert',
      executing: 'alert put alert',
      state: 'succeeded',
    });
    // The spend is shown to the approver, and is no part of the decision.
    expect(view.plan.consequences).toEqual([
      ...plan.consequences,
      'This month is at $355.00 so far, about $465 by 30 November.',
      '⚠ This month is projected to reach the $400.00 alert, not the $500.00 one.',
    ]);
    expect(view.isChanged).toBe(false);
  });
});
