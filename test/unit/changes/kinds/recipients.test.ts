import { describe, expect, it } from 'vitest';
import { fieldOf, formHarness, labelsOf, optionsOf, startOf, wordsOf } from '../forms/harness.ts';
import { planOn, settledOn } from './planned.ts';

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
});

describe('The forms about a recipient who is there', () => {
  it.each([
    ['recipient.enable', ['off@acme.example', 'unsaid@acme.example']],
    ['recipient.disable', ['on@acme.example', 'unsaid@acme.example']],
    ['recipient.delete', ['off@acme.example', 'on@acme.example', 'unsaid@acme.example']],
  ] as const)('%s offers only the recipients that it would change', async (name, emails) => {
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

  it('start with none where one address is there twice, and distinguish the two', async () => {
    const twice = [ON, OFF, { id: 'r-9', email: 'ON@acme.example', enabled: undefined }];
    const harness = formHarness({ recipients: twice });

    const form = await harness.open('recipient.delete', { email: 'on@acme.example' });

    expect(startOf(form, 'E-mail')).toBeUndefined();
    expect(wordsOf(form)).toContain(
      'There are 2 recipients of the address on@acme.example: choose one.',
    );
    const options = optionsOf(fieldOf(form, 'E-mail'));
    expect(options.map(({ text, description }) => [text.text, description?.text])).toEqual([
      ['off@acme.example', 'disabled'],
      ['ON@acme.example (id r-9)', undefined],
      ['on@acme.example (id r-1)', 'enabled'],
    ]);
  });

  it('say when no one was chosen, and when the chosen one has gone', async () => {
    const harness = formHarness({ recipients });
    const form = await harness.open('recipient.delete');

    expect((await harness.submit('recipient.delete', form)).errors).toEqual({
      'E-mail': 'Choose one.',
    });
    const { errors } = await formHarness().submit('recipient.delete', form, {
      'E-mail': 'on@acme.example',
    });
    expect(errors?.['E-mail']).toContain('That recipient no longer exists');
  });
});

const NEW = { kind: 'recipient.add', email: 'new@acme.example', enabled: true } as const;
const selected = ({ id, email }: typeof ON | typeof OFF) => ({ recipientId: id, email });
const ENABLE = { kind: 'recipient.enable', ...selected(OFF) } as const;
const DISABLE = { kind: 'recipient.disable', ...selected(ON) } as const;
const DELETE = { kind: 'recipient.delete', ...selected(ON) } as const;

it('the last enabled recipient has a warning, and one that is disabled has none', async () => {
  const { plan } = await planOn({ recipients: [ON, OFF] }, DELETE);
  const quiet = await planOn({ recipients: [OFF] }, { ...DELETE, ...selected(OFF) });

  expect(plan.consequences).toContainEqual(expect.stringMatching(/^⚠ This is the last enabled/));
  expect(quiet.plan.consequences).toEqual([
    'It is switched off already: no invoice is mailed to it now.',
  ]);
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
