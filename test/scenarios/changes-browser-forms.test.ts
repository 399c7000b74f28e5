import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writes } from '../support/approvals.ts';
import { hasBrowser } from '../support/browser.ts';
import { enter, fill, openForm, submit, valuesOf } from '../support/changes-page.ts';
import type { Entries } from '../support/modal.ts';
import type { Visitor } from '../support/page.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

interface Slip {
  readonly what: string;
  readonly command: string;
  readonly entries: Entries;
  /** The one field that is wrong, and a word of what is said under it. */
  readonly field: string;
  readonly says: string;
}

const TOKEN = { Roles: ['billing_viewer'] };
const ORG = { 'Type the name again': 'umbrella', Invitees: 'dana@acme.example' };

const SLIPS: readonly Slip[] = [
  {
    what: 'a negative amount',
    command: '/alert set 500',
    entries: { Amount: '-1' },
    field: 'Amount',
    says: '0',
  },
  {
    what: 'a bad e-mail of a user',
    command: '/billing users add',
    entries: { 'E-mail': 'hal at acme', Roles: ['billing_viewer'] },
    field: 'E-mail',
    says: 'mail',
  },
  {
    what: 'no roles for a new user',
    command: '/billing users add hal@acme.example',
    entries: { Roles: [] },
    field: 'Roles',
    says: 'required',
  },
  {
    what: 'no roles that would be left',
    command: '/billing users roles cleo@acme.example',
    entries: { Roles: [] },
    field: 'Roles',
    says: 'required',
  },
  {
    what: 'nobody to remove',
    command: '/billing users remove',
    entries: {},
    field: 'E-mail',
    says: 'required',
  },
  {
    what: 'a date in the past',
    command: '/billing tokens create ci',
    entries: { ...TOKEN, Expires: '2020-01-31' },
    field: 'Expires',
    says: 'in the future',
  },
  {
    what: 'a token without a name',
    command: '/billing tokens create',
    entries: TOKEN,
    field: 'Name',
    says: 'required',
  },
  {
    what: 'the name typed differently',
    command: '/billing orgs create umbrella',
    entries: { ...ORG, 'Type the name again': 'Umbrella' },
    field: 'Type the name again',
    says: 'not the same name',
  },
  {
    what: 'no invitees',
    command: '/billing orgs create umbrella',
    entries: { ...ORG, Invitees: ' , ' },
    field: 'Invitees',
    says: 'at least one e-mail address',
  },
  {
    what: 'one bad invitee among others',
    command: '/billing orgs create umbrella',
    entries: { ...ORG, Invitees: 'dana@acme.example, hal' },
    field: 'Invitees',
    says: '"hal" is not an e-mail address',
  },
  {
    what: 'a bad e-mail of a recipient',
    command: '/billing recipients add',
    entries: { 'E-mail': 'news' },
    field: 'E-mail',
    says: 'mail',
  },
  {
    what: 'a quota of nothing',
    command: '/billing quotas request cpu',
    entries: { 'Requested maximum': '0' },
    field: 'Requested maximum',
    says: 'above 0',
  },
  {
    what: 'a number that is none',
    command: '/billing quotas request cpu',
    entries: { 'Requested maximum': '1e3' },
    field: 'Requested maximum',
    says: 'number',
  },
  {
    what: 'a user who is there',
    command: '/billing users add',
    entries: { 'E-mail': 'Cleo@acme.example', Roles: ['billing_viewer'] },
    field: 'E-mail',
    says: 'is a billing user already: change the roles with /billing users roles',
  },
  {
    what: 'a quota that is as high already',
    command: '/billing quotas request cpu',
    entries: { 'Requested maximum': '100' },
    field: 'Requested maximum',
    says: 'is 128 already: ask for more than that',
  },
];

describe.runIf(hasBrowser())('slips in the forms of changes, in a browser', () => {
  let world: World;
  let ada: Visitor;

  beforeAll(async () => {
    world = await openWorld({ bot: {} });
    ada = await world.visit('U0ADA', 'C0BILLING');
  });

  afterAll(() => world?.close());

  it.each(SLIPS)('$what is said under its field, and asks for nothing', async (slip) => {
    const { command, entries, field, says } = slip;
    const before = await world.messages('C0APPROVE');
    await enter(ada, 'billing');
    const form = await openForm(ada, command);
    await fill(form, entries);
    const typed = await valuesOf(form);

    const errors = await submit(form);

    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]).toContain(says);
    expect(await valuesOf(form)).toEqual(typed);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await world.messages('C0APPROVE')).toEqual(before);
  });

  it('what is put right is taken', async () => {
    await enter(ada, 'billing');
    const form = await openForm(ada, '/billing orgs create umbrella');
    await fill(form, { ...ORG, 'Type the name again': 'umbrela' });
    await submit(form);

    await fill(form, { 'Type the name again': 'umbrella' });
    const answer = await ada.newAnswer(() => submit(form));

    expect(await answer.innerText()).toContain('Requested: Create the org umbrella');
    // Its card comes a moment later, and is of no other test.
    await until('the card of the request', async () =>
      JSON.stringify(await world.messages('C0APPROVE')).includes('Create the org umbrella'),
    );
    expect(await writes(world)).toEqual([]);
  });
});
