import { describe, expect, it } from 'vitest';
import { button, linkButton } from '../../../../src/slack/kit/blocks.ts';
import {
  checkboxes,
  dateInput,
  emailInput,
  multiSelect,
  numberInput,
  select,
  selectMenu,
  textInput,
} from '../../../../src/slack/kit/inputs.ts';

const choices = (...values: string[]) => values.map((value) => ({ text: `The ${value}`, value }));
const many = (count: number) =>
  choices(...Array.from({ length: count }, (_, index) => `value-${index}`));
const field = { id: 'org', label: 'Org' };

/** A block as Slack gets it. */
const sent = (block: unknown) => JSON.parse(JSON.stringify(block)) as Record<string, unknown>;
const element = (block: unknown) => sent(block)['element'] as Record<string, unknown>;

describe('a field to type into', () => {
  it('has one id for its block and its action, and the initial text', () => {
    const block = textInput({
      ...field,
      hint: 'As on the invoice.',
      optional: true,
      initial: 'acme',
      placeholder: 'A name',
      multiline: true,
    });
    expect(sent(block)).toEqual({
      type: 'input',
      block_id: 'org',
      optional: true,
      label: { type: 'plain_text', text: 'Org', emoji: false },
      hint: { type: 'plain_text', text: 'As on the invoice.', emoji: false },
      element: {
        type: 'plain_text_input',
        action_id: 'org',
        max_length: 3_000,
        multiline: true,
        initial_value: 'acme',
        placeholder: { type: 'plain_text', text: 'A name', emoji: false },
      },
    });
  });

  it('starts with no more than it takes', () => {
    const block = textInput({ ...field, maxLength: 5, initial: 'too long' });
    expect(element(block)).toMatchObject({ max_length: 5, initial_value: 'too …' });
  });
});

describe('a field for a number', () => {
  it('starts with the initial number, and accepts none below the minimum', () => {
    expect(sent(numberInput({ ...field, initial: '500.25', min: '0', decimals: true }))).toEqual({
      type: 'input',
      block_id: 'org',
      label: { type: 'plain_text', text: 'Org', emoji: false },
      element: {
        type: 'number_input',
        action_id: 'org',
        is_decimal_allowed: true,
        min_value: '0',
        initial_value: '500.25',
      },
    });
  });

  it.each([
    ['less than the least', { initial: '-1', min: '0' }],
    ['no number', { initial: 'many' }],
    ['a number with an exponent', { initial: '1e21', decimals: true }],
    ['a part of one among whole ones', { initial: '0.5' }],
    ['nothing', { initial: '' }],
  ])('does not start with %s, for which Slack would refuse the whole form', (_, more) => {
    expect(element(numberInput({ ...field, ...more }))).not.toHaveProperty('initial_value');
  });
});

it('a field for an address starts with one, and with nothing else', () => {
  const starts = (initial: string) => element(emailInput({ ...field, initial }))['initial_value'];

  expect(element(emailInput(field))).toEqual({ type: 'email_text_input', action_id: 'org' });
  expect(starts(' ada@acme.example ')).toBe('ada@acme.example');
  expect([starts('ada'), starts('a b@c'), starts('')]).toEqual([undefined, undefined, undefined]);
});

it('a field for a day starts with one that there is', () => {
  const starts = (initial: string) => element(dateInput({ ...field, initial }))['initial_date'];

  expect(element(dateInput({ ...field, placeholder: 'Never' }))).toMatchObject({
    type: 'datepicker',
    placeholder: { text: 'Never' },
  });
  expect(starts('2026-12-31')).toBe('2026-12-31');
  expect(['2026-02-30', '2026-12-31T00:00:00Z', 'soon', ''].map(starts)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a field to choose from', () => {
  it('starts with the initial option, and only if that is among the options', () => {
    const options = choices('acme', 'globex');
    const [acme, globex] = element(select({ ...field, options }))['options'] as object[];

    expect(element(select({ ...field, options, initial: 'globex' }))).toMatchObject({
      initial_option: globex,
    });
    expect(element(select({ ...field, options, initial: 'gone' }))).not.toHaveProperty(
      'initial_option',
    );
    expect(
      element(multiSelect({ ...field, options, initial: ['gone', 'globex', 'acme'] })),
    ).toMatchObject({ initial_options: [acme, globex] });
    expect(element(checkboxes({ ...field, options, initial: ['acme'] }))).toMatchObject({
      initial_options: [acme],
    });
  });

  it('counts the options over ten in the hint of a row of boxes', () => {
    const options = many(11);
    expect(sent(checkboxes({ ...field, options, initial: ['value-1'] }))).toMatchObject({
      element: {
        type: 'checkboxes',
        action_id: 'org',
        options: expect.toSatisfy((shown: object[]) => shown.length === 10) as object,
        initial_options: [{ value: 'value-1' }],
      },
      hint: { text: '1 value not shown: too long, or too many.' },
    });
    expect(sent(checkboxes({ ...field, options: [] }))).toMatchObject({ type: 'section' });
  });

  it('reports a choice at once where other fields depend on it, and only there', () => {
    const options = choices('acme');
    expect(sent(select({ ...field, options, refills: true }))).toHaveProperty(
      'dispatch_action',
      true,
    );
    expect(sent(select({ ...field, options }))).not.toHaveProperty('dispatch_action');
  });

  it('says something about an option, also about the one that it starts with', () => {
    const about = 'Sees  what\nthings cost';
    const options = [{ text: 'billing_viewer', value: 'viewer', about }];
    const option = {
      text: { type: 'plain_text', text: 'billing_viewer', emoji: false },
      value: 'viewer',
      description: { type: 'plain_text', text: 'Sees what things cost', emoji: false },
    };

    expect(element(select({ ...field, options, initial: 'viewer' }))).toMatchObject({
      options: [option],
      initial_option: option,
    });
    for (const block of [
      multiSelect({ ...field, options, initial: ['viewer'] }),
      checkboxes({ ...field, options, initial: ['viewer'] }),
    ]) {
      expect(element(block)).toMatchObject({ options: [option], initial_options: [option] });
    }
    expect(selectMenu({ action: 'a', placeholder: 'b', options }).options).toEqual([
      { text: option.text, value: 'viewer' },
    ]);
  });

  it('of more than a hundred options has them in groups that are named by their ends', () => {
    const { option_groups: groups } = element(select({ ...field, options: many(250) })) as {
      option_groups: { label: { text: string }; options: object[] }[];
    };
    expect(groups.map(({ label, options }) => [label.text, options.length])).toEqual([
      ['The value-0 – The value-99', 100],
      ['The value-100 – The value-199', 100],
      ['The value-200 – The value-249', 50],
    ]);
  });

  it('counts the options that do not fit, whether there is a hint or not', () => {
    const options = [...choices('acme', ''), { text: 'Long', value: 'x'.repeat(76) }];
    expect(sent(select({ ...field, options }))).toMatchObject({
      hint: { text: '2 values not shown: too long, or too many.' },
    });
    expect(sent(checkboxes({ ...field, hint: 'Tick.', options: many(11) }))).toMatchObject({
      hint: { text: 'Tick. 1 value not shown: too long, or too many.' },
    });
  });

  it("stays far below Slack's limit for a whole window", () => {
    const block = sent(select({ ...field, options: many(20_000) }));
    expect(JSON.stringify(block).length).toBeLessThan(70_000);
    expect(JSON.stringify(block['hint'])).toMatch(/1\d,\d{3} values not shown/);
  });

  it('takes a value that is there twice once', () => {
    expect(element(select({ ...field, options: choices('acme', 'acme') }))).toMatchObject({
      options: [{ value: 'acme' }],
    });
  });

  it('of nothing is a line that says so', () => {
    expect(sent(select({ ...field, options: [] }))).toMatchObject({
      type: 'section',
      text: { text: '*Org*: there is nothing to choose from.' },
    });
    expect(sent(multiSelect({ ...field, options: choices('x'.repeat(99)) }))).toMatchObject({
      text: { text: '*Org*: no value is short enough to choose.' },
    });
  });
});

describe('a row of controls', () => {
  it('may have a menu, also when there is nothing on it', () => {
    const menu = { action: 'detail', placeholder: 'Detail of …' };
    expect(sent(selectMenu({ ...menu, options: choices('a', 'b'), initial: 'b' }))).toMatchObject({
      type: 'static_select',
      action_id: 'detail',
      placeholder: { text: 'Detail of …' },
      initial_option: { value: 'b' },
    });
    expect(selectMenu({ ...menu, options: [] }).options).toHaveLength(1);
  });

  it('has room for a menu of a hundred long names', () => {
    const long = Array.from({ length: 300 }, (_, n) => ({ text: 'x'.repeat(75), value: `${n}` }));
    const { options = [] } = selectMenu({ action: 'detail', placeholder: 'Of', options: long });

    expect(options).toHaveLength(100);
    expect(options.map(({ text }) => text.text).join('').length).toBeLessThanOrEqual(3_000);
  });

  it('may have a button that asks before it does anything', () => {
    const confirm = { title: 'Sure?', question: 'x'.repeat(400), yes: 'Do it', no: 'Leave it' };
    const made = sent(button({ action: 'go', text: 'Go', label: 'Go on', confirm }));

    expect(made).toMatchObject({
      accessibility_label: 'Go on',
      confirm: { title: { text: 'Sure?' }, confirm: { text: 'Do it' }, deny: { text: 'Leave it' } },
    });
    expect((made['confirm'] as { text: { text: string } }).text.text).toHaveLength(300);
  });

  it('may have a button that opens a page, and only a page', () => {
    expect(linkButton('Pay', 'https://pay.example/1')).toMatchObject({
      url: 'https://pay.example/1',
    });
    for (const wrong of ['javascript:alert(1)', 'pay', '', `https://x/${'y'.repeat(3_000)}`]) {
      expect(linkButton('Pay', wrong)).toBeUndefined();
    }
  });
});
