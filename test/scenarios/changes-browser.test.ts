import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardOf, decide, request, writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { byTopic, COMMENT, decideOn, playOut, type Wish } from '../support/change-scenario.ts';
import { accountOf, type AccountState } from '../support/changes-raw.ts';
import { REASON } from '../support/changes.ts';
import { direct, enter } from '../support/changes-page.ts';
import { bytesOf, choose as chooseItem, press, recordsOf, type Visitor } from '../support/page.ts';
import { until } from '../support/until.ts';
import { userOf } from '../support/user.ts';
import { openWorld, type World } from '../support/world.ts';

const HAL = 'hal@acme.example';
const NEWS = 'news@acme.example';
const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-12-31`;
const INVITED = `An invitation is e-mailed to ${HAL}.`;
const VERIFIED = 'Verified: matches the request';
const GONE = 'Verified: it is gone';
const RECIPIENT = /^(PATCH|DELETE) \/invoice-delivery\/recipients\/[\da-f-]{36}$/;

interface Scenario extends Wish {
  readonly kind: string;
  readonly viewer: 'ada' | 'ben';
  /** A control of the stand-in that prepares the account. */
  readonly after?: string;
  /** The initial values of the form, by label. */
  readonly prefilled: Readonly<Record<string, string>>;
  /** Before -> after and what follows, on the card and in the review. */
  readonly says: readonly string[];
  /** The one call that carries it out. */
  readonly call: string | RegExp;
  readonly body?: object;
  /** The result of reading back, as shown on the card and to the requester. */
  readonly ends: string;
  /** The part of the account that `is` is compared with afterwards. */
  readonly state: (account: AccountState) => unknown;
  readonly is: unknown;
}

const rolesOf = (email: string) => (account: AccountState) =>
  account.users.find((user) => user.email === email)?.roles;
const recipientAt = (email: string) => (account: AccountState) =>
  account.recipients.find((recipient) => recipient.email === email)?.enabled;

/** Every kind of design section 5; of a topic, each starts from the state that the earlier ones left. */
const STORIES: readonly Scenario[] = [
  {
    kind: 'alert.create',
    viewer: 'ben',
    command: '/alert set 500',
    prefilled: { Amount: '500', Enabled: 'The alert is on' },
    entries: { Amount: '450.50' },
    says: ['Amount: $450.50', 'Enabled: yes', 'billing_admin is e-mailed once in a month'],
    call: 'POST /alert',
    body: { alert: { amount: 450.5, enabled: true } },
    ends: VERIFIED,
    state: ({ alert }) => alert,
    is: { amount: 450.5, enabled: true },
  },
  {
    kind: 'alert.replace',
    viewer: 'ada',
    after: 'alert/fire',
    command: '/alert set',
    prefilled: { Amount: '450.5', Enabled: 'The alert is on' },
    entries: { Amount: '800', Enabled: false },
    says: ['Amount: $450.50 → $800.00', 'Enabled: yes → no', 'saving it arms it again'],
    call: 'PUT /alert',
    body: { alert: { amount: 800, enabled: false } },
    ends: VERIFIED,
    state: ({ alert }) => alert,
    is: { amount: 800, enabled: false },
  },
  {
    kind: 'alert.delete',
    viewer: 'ben',
    command: '/alert delete',
    prefilled: {},
    says: ['Will be deleted', 'Amount: $800.00', 'No one is warned'],
    call: 'DELETE /alert',
    ends: GONE,
    state: ({ alert }) => alert,
    is: undefined,
  },
  {
    kind: 'user.add',
    viewer: 'ada',
    command: `/billing users add ${HAL}`,
    prefilled: { 'E-mail': HAL, Roles: '' },
    entries: { Roles: ['billing_viewer', 'org_creator'] },
    says: [`E-mail: ${HAL}`, 'Roles: billing_viewer, org_creator', INVITED],
    call: 'POST /user',
    body: { user: { email: HAL, roles: ['billing_viewer', 'org_creator'] } },
    ends: VERIFIED,
    state: rolesOf(HAL),
    is: ['billing_viewer', 'org_creator'],
  },
  {
    kind: 'user.roles',
    viewer: 'ben',
    command: '/billing users roles',
    first: { entries: { 'E-mail': HAL }, says: `${HAL} has billing_viewer and org_creator now` },
    prefilled: { 'E-mail': HAL, Roles: 'billing_viewer, org_creator' },
    entries: { Roles: ['billing_viewer'] },
    says: ['Roles: billing_viewer, org_creator → billing_viewer', 'loses org_creator'],
    call: /^PUT \/user\/email\/hal(@|%40)acme\.example$/,
    body: { user: { email: HAL, roles: ['billing_viewer'] } },
    ends: VERIFIED,
    state: rolesOf(HAL),
    is: ['billing_viewer'],
  },
  {
    kind: 'user.remove',
    viewer: 'ada',
    command: `/billing users remove ${HAL}`,
    prefilled: { 'E-mail': HAL },
    says: ['Will be deleted', 'Roles: billing_viewer', 'can no longer see or change anything'],
    call: /^DELETE \/user\/email\/hal(@|%40)acme\.example$/,
    ends: GONE,
    state: rolesOf(HAL),
    is: undefined,
  },
  {
    kind: 'token.create',
    viewer: 'ben',
    command: '/billing tokens create ci',
    prefilled: { Name: 'ci', Description: '', Roles: '', Expires: '' },
    entries: { Description: 'pipelines', Roles: ['billing_viewer'], Expires: NEXT_YEAR },
    says: ['Name: ci', `Expires: ${NEXT_YEAR} 23:59 UTC`, 'shown once, to the requester only'],
    call: 'POST /service-account-token',
    body: { name: 'ci', description: 'pipelines', roles: ['billing_viewer'] },
    ends: VERIFIED,
    state: ({ tokens }) => tokens.filter(({ name }) => name === 'ci').length,
    is: 1,
  },
  {
    kind: 'token.delete',
    viewer: 'ada',
    command: '/billing tokens delete sandbox-viewer',
    prefilled: { Name: 'sandbox-viewer' },
    says: ['Will be deleted', 'Created by: ada@acme.example', 'for up to 5 minutes'],
    call: /^DELETE \/service-account-token\/[\da-f-]{36}$/,
    ends: GONE,
    state: ({ tokens }) => tokens.filter(({ name }) => name === 'sandbox-viewer').length,
    is: 0,
  },
  {
    kind: 'org.create',
    viewer: 'ben',
    command: '/billing orgs create umbrella',
    prefilled: {
      Name: 'umbrella',
      'Type the name again': '',
      Description: '',
      Tags: '',
      Invitees: '',
      'Superuser key': '',
    },
    entries: {
      'Type the name again': 'umbrella',
      Description: 'rain',
      Tags: 'team=core\nstage=prod',
      Invitees: HAL,
    },
    says: [
      'Name: umbrella',
      'Tags: stage=prod, team=core',
      `Invitees: ${HAL}`,
      'global and permanent',
      INVITED,
    ],
    call: 'POST /org',
    body: {
      org: { name: 'umbrella', description: 'rain', tags: { stage: 'prod', team: 'core' } },
      invitees: [HAL],
    },
    ends: VERIFIED,
    state: ({ orgs }) => orgs.filter(({ name }) => name === 'umbrella').length,
    is: 1,
  },
  {
    kind: 'recipient.add',
    viewer: 'ada',
    command: `/billing recipients add ${NEWS}`,
    prefilled: { 'E-mail': NEWS, Enabled: 'Gets new invoices' },
    entries: { Enabled: false },
    says: [`E-mail: ${NEWS}`, 'Enabled: no', `Nothing is mailed to ${NEWS}`],
    call: 'POST /invoice-delivery/recipients',
    body: { email: NEWS, enabled: false },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: false,
  },
  {
    kind: 'recipient.enable',
    viewer: 'ben',
    command: '/billing recipients enable',
    prefilled: { 'E-mail': '' },
    entries: { 'E-mail': NEWS },
    says: ['Enabled: no → yes', `mailed to ${NEWS}`],
    call: RECIPIENT,
    body: { enabled: true },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: true,
  },
  {
    kind: 'recipient.disable',
    viewer: 'ada',
    command: `/billing recipients disable ${NEWS}`,
    prefilled: { 'E-mail': NEWS },
    says: ['Enabled: yes → no', NEWS],
    call: RECIPIENT,
    body: { enabled: false },
    ends: VERIFIED,
    state: recipientAt(NEWS),
    is: false,
  },
  {
    kind: 'recipient.delete',
    viewer: 'ben',
    command: `/billing recipients delete ${NEWS}`,
    prefilled: { 'E-mail': NEWS },
    says: ['Will be deleted', `E-mail: ${NEWS}`],
    call: RECIPIENT,
    ends: GONE,
    state: recipientAt(NEWS),
    is: undefined,
  },
  {
    kind: 'quota.request',
    viewer: 'ada',
    command: '/billing quotas request cpu',
    prefilled: { Quota: 'cpu', 'Requested maximum': '' },
    entries: { 'Requested maximum': '200' },
    says: ['Maximum: 128 cores → 200 cores', 'Org: acme'],
    call: 'POST /org/acme/quota-increase-requests',
    body: { quotaName: 'cpu', requestedMax: 200 },
    ends: 'granted by the platform',
    // The state of the stand-in has no quotas: `ends` shows the result that was read back.
    state: () => undefined,
    is: undefined,
  },
];

describe.runIf(hasBrowser())('changes in a browser, as two people', () => {
  let world: World;
  let people: Record<Scenario['viewer'], Visitor>;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    const [ada, ben] = await Promise.all([world.visit('U0ADA'), world.visit('U0BEN')]);
    people = { ada, ben };
  });

  afterAll(() => world?.close());

  it.each(byTopic(STORIES))(
    'every kind of %s: requester and approver see the same change from the form to the audit',
    async (_topic, stories) => {
      for (const story of stories) {
        const { ada, ben } = people;
        if (story.after !== undefined) await world.platform(story.after, {});

        const seen = await playOut(world, story.viewer === 'ada' ? [ada, ben] : [ben, ada], story);

        const [viewer, other] =
          story.viewer === 'ada' ? ['Ada Admin', 'Ben Billing'] : ['Ben Billing', 'Ada Admin'];
        expect(seen.prefilled).toEqual(story.prefilled);
        expect(seen.early).toBe(0);
        for (const text of [seen.card, seen.review]) {
          expect(text).toContain(`requested by @${viewer}`);
          expect(text).toContain(REASON);
        }
        // The review shows every line; a card that would be too long shows its first lines.
        for (const words of story.says) expect(seen.review).toContain(words);
        const onCard = seen.card.includes('… and') ? [] : story.says;
        for (const words of onCard) expect(seen.card).toContain(words);
        expect(seen.end).toContain(`approved by @${other}`);
        expect(seen.end).not.toContain('Withdraw');
        for (const text of [seen.end, seen.reported]) {
          expect(text).toContain(story.ends);
          expect(text).not.toContain('Done.');
        }
        expect(seen.reported.includes('Reveal')).toBe(story.kind === 'token.create');
        expect(seen.audit).toMatch(
          new RegExp(`requested by @${viewer}[^]*approved by @${other}[^]*sent to[^]*done`),
        );
        expect(JSON.stringify(seen)).not.toContain('svc-bsat-');
        expect(seen.sent).toHaveLength(1);
        expect(seen.sent[0]?.call).toMatch(
          typeof story.call === 'string' ? new RegExp(`^${story.call}$`) : story.call,
        );
        expect(seen.sent[0]?.body ?? {}).toMatchObject(story.body ?? {});
        expect({ state: story.state(await accountOf(world)) }).toMatchObject({ state: story.is });
      }
    },
  );

  const listed = async (list: Locator): Promise<string[]> =>
    (await recordsOf(list)).map(
      ({ State: state = '', ID: id = '' }) => `${id} ${state.split(',')[0]}`,
    );
  /** Changes that have come to each of these ends, and one that waits, in this order; asked for without a browser. */
  async function history(): Promise<
    Record<'rejected' | 'withdrawn' | 'succeeded' | 'pending', string>
  > {
    const [viewer, approver] = [userOf(world, 'U0ADA'), userOf(world, 'U0BEN')];
    const recipient = (name: string) => ({
      command: '/billing recipients add',
      entries: { 'E-mail': `${name}@acme.example` },
    });
    const rejected = await request(world, viewer, recipient('rejected'));
    await decide(world, approver, { id: rejected, decision: 'Reject', comment: COMMENT });
    const withdrawn = await request(world, viewer, recipient('withdrawn'));
    await viewer.press(await cardOf(world, withdrawn), 'Withdraw');
    const succeeded = await request(world, viewer, recipient('added'));
    await decide(world, approver, { id: succeeded, decision: 'Approve' });
    const pending = await request(world, viewer, {
      command: '/billing users add',
      entries: { 'E-mail': 'pat@acme.example', Roles: ['billing_viewer'] },
    });
    const ids = { rejected, withdrawn, succeeded, pending };
    for (const [state, id] of Object.entries(ids)) await cardOf(world, id, state);
    return ids;
  }
  /** Chooses in a menu below the list, by the words in it. */
  async function choose(list: Locator, menu: number, words: string): Promise<void> {
    await list.getByRole('combobox').nth(menu).click();
    await list.page().getByRole('option', { name: words }).first().click();
  }

  it('a list by state and kind, with a review straight from it and the audit as NDJSON; for a viewer without all that', async () => {
    const before = (await writes(world)).length;
    const ids = await history();
    const { rejected, withdrawn, succeeded, pending } = ids;
    const { ben } = people;
    const cleo = await world.visit('U0CLEO', 'C0APPROVE');
    await enter(ben, 'approvals');
    const whole = await ben.ask('/changes');
    /** The lines of these requests in the list. */
    const ours = async () =>
      (await listed(whole)).filter((line) => Object.values(ids).some((id) => line.startsWith(id)));

    expect(await ours()).toEqual([`${pending} Waiting for a review`]);
    await choose(whole, 0, 'All');
    await until('all of them', async () => (await ours()).length === 4);
    expect(await ours()).toEqual([
      `${pending} Waiting for a review`,
      `${succeeded} Done`,
      `${withdrawn} Withdrawn`,
      `${rejected} Rejected`,
    ]);
    await choose(whole, 1, 'recipient.add');
    await until('those of one kind', async () => (await ours()).length === 3);
    await choose(whole, 0, 'Rejected');
    await until('those in one state', async () => (await ours()).length === 1);
    expect(await ours()).toEqual([`${rejected} Rejected`]);
    const show = await ben.newAnswer(() => press(whole, 'Details'));
    expect(await show.innerText()).toContain(COMMENT);

    const empty = await cleo.ask('/changes');
    expect(await listed(empty)).toEqual([]);
    expect(await empty.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    const reported = await cleo.ask(`/changes show ${succeeded}`);
    expect(await reported.innerText()).not.toContain('added@acme.example');

    await decideOn(ben, await ben.ask('/changes'), 'Approve');
    await cardOf(world, pending, 'succeeded');
    const list = await ben.ask('/changes');
    await ben.newAnswer(() => chooseItem(list, 'Audit as a file'));
    const message = await direct(ben, 'Who asked for which change');
    const file = (await bytesOf(message, '.ndjson')).toString();

    const lines = file
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { change: string; event: string; by?: string });
    const storyOf = (id: string) =>
      lines.filter(({ change }) => change === id).map(({ event, by }) => [event, by]);
    expect(storyOf(rejected)).toEqual([
      ['request', 'U0ADA'],
      ['reject', 'U0BEN'],
    ]);
    expect(storyOf(withdrawn)).toEqual([
      ['request', 'U0ADA'],
      ['withdraw', 'U0ADA'],
    ]);
    expect(storyOf(pending).map(([event]) => event)).toEqual([
      'request',
      'approve',
      'claim',
      'succeed',
    ]);
    expect((await writes(world)).slice(before).map(({ call }) => call)).toEqual([
      'POST /invoice-delivery/recipients',
      'POST /user',
    ]);
  });
});
