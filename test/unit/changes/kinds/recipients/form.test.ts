import { describe, expect, it } from 'vitest';
import {
  fieldOf,
  formHarness,
  labelsOf,
  optionsOf,
  startOf,
  wordsOf,
} from '../../forms/harness.ts';

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
