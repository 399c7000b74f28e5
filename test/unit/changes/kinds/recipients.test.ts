import { describe, expect, it } from 'vitest';
import { fieldOf, formHarness, labelsOf, optionsOf, startOf, wordsOf } from '../forms/harness.ts';
import { kindOf, planOn, read, settledOn } from './planned.ts';

const ON = { id: 'r-1', email: 'on@acme.example', enabled: true };
const OFF = { id: 'r-2', email: 'off@acme.example', enabled: false };
const UNSAID = { id: 'r-3', email: 'unsaid@acme.example', enabled: undefined };
const recipients = [ON, OFF, UNSAID];

describe('The form that adds a recipient', () => {
  it('starts enabled', async () => {
    const harness = formHarness();

    const form = await harness.open('recipient.add', { email: 'new@acme.example' });

    expect(labelsOf(form)).toEqual(['E-mail', 'Enabled']);
    await harness.submit('recipient.add', form);
    await harness.submit('recipient.add', form, { Enabled: [] });
    expect(harness.orders).toEqual([
      { kind: 'recipient.add', email: 'new@acme.example', enabled: true },
      { kind: 'recipient.add', email: 'new@acme.example', enabled: false },
    ]);
  });

  it('says under the field what is not an e-mail address', async () => {
    const harness = formHarness();
    const form = await harness.open('recipient.add');

    const { errors } = await harness.submit('recipient.add', form, { 'E-mail': 'nobody' });

    expect(errors).toEqual({
      'E-mail': '"nobody" is not an e-mail address: write one such as ada@example.com.',
    });
  });
});

describe('The forms about a recipient who is there', () => {
  it.each([
    ['recipient.enable', ['off@acme.example', 'unsaid@acme.example']],
    ['recipient.disable', ['on@acme.example', 'unsaid@acme.example']],
    ['recipient.delete', ['off@acme.example', 'on@acme.example', 'unsaid@acme.example']],
  ] as const)('%s offers those whom there is something to do about', async (name, emails) => {
    const harness = formHarness({ recipients });

    const form = await harness.open(name);

    const options = optionsOf(fieldOf(form, 'E-mail'));
    expect(options.map(({ text }) => text.text)).toEqual(emails);
    await harness.submit(name, form, { 'E-mail': 'unsaid@acme.example' });
    expect(harness.orders).toEqual([
      { kind: name, recipientId: 'r-3', email: 'unsaid@acme.example' },
    ]);
  });

  it.each([{ id: 'r-1' }, { email: 'ON@acme.example' }])('start with %j', async (given) => {
    expect(await formHarness({ recipients }).order('recipient.disable', given)).toEqual({
      kind: 'recipient.disable',
      recipientId: 'r-1',
      email: 'on@acme.example',
    });
  });

  it('say when the one who was named is so already, or not there', async () => {
    const harness = formHarness({ recipients });

    const already = await harness.open('recipient.enable', { email: 'on@acme.example' });
    const nobody = await harness.open('recipient.enable', { email: 'who@acme.example' });

    expect(startOf(already, 'E-mail')).toBeUndefined();
    expect(wordsOf(already)).toContain('on@acme.example is enabled already.');
    expect(wordsOf(nobody)).toContain('There is no recipient who@acme.example to choose here.');
  });

  it('start with none where one address is there twice, and tell the two apart', async () => {
    const twice = [ON, OFF, { id: 'r-9', email: 'ON@acme.example', enabled: undefined }];
    const harness = formHarness({ recipients: twice });

    const form = await harness.open('recipient.delete', { email: 'on@acme.example' });

    expect(startOf(form, 'E-mail')).toBeUndefined();
    expect(wordsOf(form)).toContain(
      'There are 2 recipients of the address on@acme.example: choose one.',
    );
    const options = optionsOf(fieldOf(form, 'E-mail'));
    expect(options.map(({ value, description }) => [value, description?.text])).toEqual([
      ['r-2', 'disabled'],
      ['r-9', 'id r-9'],
      ['r-1', 'id r-1 · enabled'],
    ]);
  });

  it.each([
    ['recipient.enable', [ON], 'No recipient is disabled'],
    ['recipient.disable', [OFF], 'No recipient is enabled'],
    ['recipient.delete', [], 'There is no recipient to delete'],
  ] as const)('%s says when there is nobody to choose', async (name, recipients, sentence) => {
    await expect(formHarness({ recipients }).open(name)).rejects.toThrow(sentence);
  });

  it('say when nobody was chosen, and when the chosen one has gone', async () => {
    const harness = formHarness({ recipients });
    const form = await harness.open('recipient.delete');

    expect((await harness.submit('recipient.delete', form)).errors).toEqual({
      'E-mail': 'Choose one.',
    });
    const { errors } = await formHarness().submit('recipient.delete', form, {
      'E-mail': 'on@acme.example',
    });
    expect(errors?.['E-mail']).toContain('That recipient is not there any more');
  });
});

const NEW = { kind: 'recipient.add', email: 'new@acme.example', enabled: true } as const;
const selected = ({ id, email }: typeof ON | typeof OFF) => ({ recipientId: id, email });
const ENABLE = { kind: 'recipient.enable', ...selected(OFF) } as const;
const DISABLE = { kind: 'recipient.disable', ...selected(ON) } as const;
const DELETE = { kind: 'recipient.delete', ...selected(ON) } as const;
const LAST =
  '⚠ This is the last enabled recipient in the list: after this nobody gets new invoices by e-mail.';

describe('the plan for a recipient', () => {
  it.each([
    [
      NEW,
      'Add the invoice recipient new@acme.example',
      [],
      ['E-mail: new@acme.example', 'Enabled: yes'],
    ],
    [
      ENABLE,
      'Enable the invoice recipient off@acme.example',
      ['E-mail: off@acme.example', 'Enabled: no'],
      ['E-mail: off@acme.example', 'Enabled: yes'],
    ],
    [
      DISABLE,
      'Disable the invoice recipient on@acme.example',
      ['E-mail: on@acme.example', 'Enabled: yes'],
      ['E-mail: on@acme.example', 'Enabled: no'],
    ],
    [
      DELETE,
      'Delete the invoice recipient on@acme.example',
      ['E-mail: on@acme.example', 'Enabled: yes'],
      [],
    ],
  ])('shows it before and after: $kind', async (input, title, before, after) => {
    const { plan, conflict } = await planOn({ recipients }, input);

    expect(kindOf(input).title(input)).toBe(title);
    expect(conflict).toBeUndefined();
    expect([read(plan.before), read(plan.after)]).toEqual([before, after]);
  });

  it.each([
    [NEW, 'Every new invoice is mailed to new@acme.example from now on.'],
    [{ ...NEW, enabled: false }, 'Nothing is mailed to new@acme.example until it is enabled.'],
    [ENABLE, 'Every new invoice is mailed to off@acme.example from now on.'],
    [DISABLE, 'New invoices are no longer mailed to on@acme.example.'],
    [DELETE, 'New invoices are no longer mailed to on@acme.example.'],
  ])('says what follows from %o', async (input, sentence) => {
    expect((await planOn({ recipients }, input)).plan.consequences).toEqual([sentence]);
  });

  it.each([DISABLE, DELETE])('warns of the last enabled one: $kind', async (input) => {
    const { plan } = await planOn({ recipients: [ON, OFF] }, input);

    expect(plan.consequences).toContain(LAST);
  });

  it('does not warn of one that is disabled', async () => {
    const { plan } = await planOn({ recipients: [OFF] }, { ...DELETE, ...selected(OFF) });

    expect(plan.consequences).not.toContain(LAST);
  });

  const switched = [
    { ...ON, enabled: false },
    { ...OFF, enabled: true },
  ];
  const gone = 'on@acme.example is no recipient any more: /billing recipients shows who is.';
  it.each([
    [
      { ...NEW, email: 'ON@acme.example' },
      recipients,
      'conflict',
      'ON@acme.example is a recipient already: /billing recipients shows whether it is enabled.',
    ],
    [
      ENABLE,
      switched,
      'conflict',
      'off@acme.example is enabled already: /billing recipients shows who gets invoices.',
    ],
    [
      DISABLE,
      switched,
      'conflict',
      'on@acme.example is disabled already: /billing recipients shows who gets invoices.',
    ],
    [{ ...ENABLE, ...selected(ON) }, [], 'gone', gone],
    [DISABLE, [], 'gone', gone],
    [DELETE, [], 'gone', gone],
  ])('$kind is in conflict with what is there', async (input, there, code, sentence) => {
    const { conflict } = await planOn({ recipients: there }, input);

    expect(conflict).toEqual({ code, sentence });
  });

  it.each([ENABLE, DISABLE])('is possible in an unknown state: $kind', async (input) => {
    const of = { recipientId: UNSAID.id, email: UNSAID.email };
    const { now, conflict } = await planOn({ recipients }, { ...input, ...of });

    expect(read(now)).toContain('Enabled: not said');
    expect(conflict).toBeUndefined();
  });
});

describe('a call about a recipient without an answer', () => {
  const added = { id: 'r-9', email: 'New@acme.example', enabled: true };
  it.each([
    [NEW, 'none', [], 'not done'],
    [NEW, 'it', [added], 'done'],
    [NEW, 'it in the other state', [{ ...added, enabled: false }], 'unclear'],
    [ENABLE, 'it as before', [OFF], 'not done'],
    [ENABLE, 'it enabled', [{ ...OFF, enabled: true }], 'done'],
    [ENABLE, 'an unknown state', [{ ...OFF, enabled: undefined }], 'unclear'],
    [DISABLE, 'it disabled', [{ ...ON, enabled: false }], 'done'],
    [DISABLE, 'none', [], 'not done'],
    [DELETE, 'it', [ON], 'not done'],
    [DELETE, 'none', [], 'done'],
  ])('$kind, that finds %s', async (input, _, after, kind) => {
    expect(await settledOn(input, { recipients }, { recipients: after })).toEqual({ kind });
  });

  it('is unclear for a deleted one while a row cannot be read', async () => {
    const settled = await settledOn(DELETE, { recipients }, { skipped: 1 });

    expect(settled).toEqual({ kind: 'unclear' });
  });
});
