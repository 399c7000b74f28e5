import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../../src/lib/refusal.ts';
import type { Answer } from '../../../../../src/slack/routes.ts';
import { changeOf } from '../../../../support/changes.ts';
import { formHouse, known, startOf, user, wordsOf } from './house.ts';
import type { Ground } from './house.ts';

const CARD = 'https://acme.slack.com/archives/C0APPROVALS/p1';

/** A desk that gives always the same. */
function deskOf(requested: ReturnType<typeof known>) {
  return {
    admit: async () => undefined,
    request: async () => requested,
  };
}

/** What is answered when the alert is asked for. */
async function answered(...house: Parameters<typeof formHouse>): Promise<Answer | undefined> {
  const { open, submit } = formHouse(...house);
  return (await submit('alert.set', await open('alert.set', { amount: '500' }))).answer;
}

describe('The forms', () => {
  it('have one route for each thing that can be asked for', () => {
    const { routes } = formHouse();
    const all = Object.entries(routes);

    expect(all).toHaveLength(14);
    for (const [name, { actionId, callbackId, title }] of all) {
      expect([actionId, callbackId]).toEqual([`changes.ask.${name}`, `changes.asked.${name}`]);
      expect(title.length).toBeLessThanOrEqual(24);
    }
  });

  it('ask who it is before anything is read', async () => {
    const ground: Ground = {
      alert: {},
      users: [user('a@acme.example')],
      tokens: [{}],
      recipients: [{ id: 'r-1', email: 'a@acme.example', enabled: undefined }],
      quotas: [{ name: 'gvcs' }],
    };
    const { routes, open, heard } = formHouse(ground);

    for (const name of Object.keys(routes) as (keyof typeof routes)[]) {
      heard.length = 0;
      await open(name);
      const kind = /^alert\.(?:set|off)$/.test(name) ? 'alert.replace' : name;
      expect(heard[0]).toBe(`admit U0ADA ${kind}`);
      expect(heard).not.toContain('request');
    }
  });

  it('show nothing to those who may not ask', async () => {
    const no = () => Promise.reject(new Refusal('This takes the role billing_admin.'));
    const { open, heard } = formHouse({ alert: {} }, { desk: { admit: no, request: no } });

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
    const form = await formHouse().openWith('changes.ask.alert.set', value);

    expect(startOf(form, 'Amount')).toBeUndefined();
  });

  it('take texts only from what a button carries', async () => {
    const form = await formHouse().openWith('changes.ask.user.add', '{"email":["a@acme.example"]}');

    expect(startOf(form, 'E-mail')).toBeUndefined();
  });

  it('are requests where somebody has to approve', async () => {
    const form = await formHouse().open('alert.set');

    expect(form.submit).toBe('Request');
    expect(wordsOf(form)).toContain('before a second person has approved it');
  });

  it('say that they are carried out at once where nobody has to', async () => {
    const form = await formHouse({}, { approvalsRequired: false }).open('alert.set');

    expect(form.submit).toBe('Change now');
    expect(wordsOf(form)).toContain(
      'Approvals are off: this is carried out as soon as you submit.',
    );
  });
});

describe('Who has asked for a change', () => {
  it('is told what was asked for, where it waits, and is led there', async () => {
    const answer = await answered({}, { link: async () => CARD });

    expect(answer?.text).toBe(
      ':inbox_tray: Requested: Set the spend alert to 500.00 USD. It waits for approval in <#C0APPROVALS> as `k3m9x2ab`.',
    );
    expect(answer?.buttons).toMatchObject([{ text: { text: 'Open the card' }, url: CARD }]);
    expect(answer).not.toHaveProperty('shareable');
  });

  it.each([async () => undefined, () => Promise.reject(new Error('Slack is away'))])(
    'is told so also when the card cannot be found',
    async (link) => {
      const answer = await answered({}, { link });

      expect(answer?.text).toContain('It waits for approval in <#C0APPROVALS>');
      expect(answer).not.toHaveProperty('buttons');
    },
  );

  it.each([
    ['U0BEN', 'by <@U0BEN>:'],
    ['U0ADA', 'by you:'],
  ])('hears that the same was asked for already by %s', async (userId, words) => {
    const desk = deskOf(known({ requester: { userId, teamId: 'T0ACME' } }));

    const answer = await answered({}, { desk, link: async () => CARD });

    expect(answer?.text).toContain(`This was requested already ${words}`);
    expect(answer?.buttons).toHaveLength(1);
  });

  it('hears that it is being carried out where nobody has to approve', async () => {
    const desk = deskOf({ kind: 'requested', change: changeOf({ state: 'approved' }) });

    const answer = await answered({}, { desk, approvalsRequired: false });

    expect(answer?.text).toContain('It is being carried out, in <#C0APPROVALS> as `k3m9x2ab`.');
  });

  it('is never spoken to by a foreign name', async () => {
    const desk = deskOf(known({ title: 'Create the org <!channel> `x`' }));

    const answer = await answered({}, { desk });

    expect(answer?.text).not.toContain('<!channel>');
  });
});
