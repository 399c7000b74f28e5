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
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

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
      label: plain('Org'),
      hint: plain('As on the invoice.'),
      element: {
        type: 'plain_text_input',
        action_id: 'org',
        max_length: 3_000,
        multiline: true,
        initial_value: 'acme',
        placeholder: plain('A name'),
      },
    });
  });

  it('is empty and required by default', () => {
    const { element: _, ...block } = sent(emailInput(field));
    expect(block).toEqual({ type: 'input', block_id: 'org', label: plain('Org') });
    expect(element(emailInput(field))).toEqual({ type: 'email_text_input', action_id: 'org' });
  });

  const number = { is_decimal_allowed: true, min_value: '0', initial_value: '500.25' };
  it.each([
    [
      'the text that it takes',
      textInput({ ...field, maxLength: 5, initial: 'too long' }),
      { max_length: 5, initial_value: 'too …' },
    ],
    [
      'the number',
      numberInput({ ...field, initial: '500.25', min: '0', decimals: true }),
      { type: 'number_input', ...number },
    ],
    [
      'the address',
      emailInput({ ...field, initial: ' ada@acme.example ' }),
      { initial_value: 'ada@acme.example' },
    ],
    [
      'the day',
      dateInput({ ...field, initial: '2026-12-31', placeholder: 'Never' }),
      { type: 'datepicker', initial_date: '2026-12-31', placeholder: plain('Never') },
    ],
  ])('starts with %s', (_, block, members) => {
    expect(element(block)).toMatchObject(members);
  });

  it.each([
    ['less than the least', numberInput({ ...field, initial: '-1', min: '0' })],
    ['no number', numberInput({ ...field, initial: 'many' })],
    ['an exponent', numberInput({ ...field, initial: '1e21', decimals: true })],
    ['a part of one', numberInput({ ...field, initial: '0.5' })],
    ['no address', emailInput({ ...field, initial: 'ada' })],
    ['an address with a space', emailInput({ ...field, initial: 'a b@c' })],
    ['no such day', dateInput({ ...field, initial: '2026-02-30' })],
    ['a moment', dateInput({ ...field, initial: '2026-12-31T00:00:00Z' })],
    ['a word for a day', dateInput({ ...field, initial: 'soon' })],
  ])('does not start with %s, for which Slack would refuse the whole form', (_, block) => {
    expect(Object.keys(element(block)).filter((key) => key.startsWith('initial'))).toEqual([]);
  });
});

describe('a field to choose from', () => {
  it('starts with the initial option, and only if that is among the options', () => {
    const options = choices('acme', 'globex');
    const [acme, globex] = element(select({ ...field, options }))['options'] as object[];
    const one = (initial: string) => element(select({ ...field, options, initial }));
    const several = { ...field, options, initial: ['gone', 'globex', 'acme'] };

    expect(one('globex')).toMatchObject({ initial_option: globex });
    expect(one('gone')).not.toHaveProperty('initial_option');
    for (const block of [multiSelect(several), checkboxes(several)]) {
      expect(element(block)).toMatchObject({ initial_options: [acme, globex] });
    }
  });

  it('reports a choice at once where other fields depend on it, and only there', () => {
    const options = choices('acme');
    expect(sent(select({ ...field, options, refills: true }))['dispatch_action']).toBe(true);
    expect(sent(select({ ...field, options }))).not.toHaveProperty('dispatch_action');
  });

  it('says something about an option, also about the one that it starts with', () => {
    const about = 'Sees  what\nthings cost';
    const options = [{ text: 'billing_viewer', value: 'viewer', about }];
    const text = plain('billing_viewer');
    const option = { text, value: 'viewer', description: plain('Sees what things cost') };
    const asked = { ...field, options, initial: ['viewer'] };

    expect(element(select({ ...field, options, initial: 'viewer' }))).toMatchObject({
      options: [option],
      initial_option: option,
    });
    for (const block of [multiSelect(asked), checkboxes(asked)]) {
      expect(element(block)).toMatchObject({ options: [option], initial_options: [option] });
    }
    expect(selectMenu({ action: 'a', placeholder: 'b', options }).options).toEqual([
      { text, value: 'viewer' },
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
    const options = [...choices('acme', 'acme', ''), { text: 'Long', value: 'x'.repeat(76) }];
    expect(sent(select({ ...field, options }))).toMatchObject({
      element: { options: [{ value: 'acme' }] },
      hint: { text: '2 values not shown: too long, or too many.' },
    });
    const boxes = sent(checkboxes({ ...field, hint: 'Tick.', options: many(11) }));
    expect(boxes['hint']).toEqual(plain('Tick. 1 value not shown: too long, or too many.'));
    expect(element({ element: boxes['element'] })['options']).toHaveLength(10);
  });

  it("stays far below Slack's limit for a whole window", () => {
    const block = sent(select({ ...field, options: many(20_000) }));
    expect(JSON.stringify(block).length).toBeLessThan(70_000);
    expect(JSON.stringify(block['hint'])).toMatch(/1\d,\d{3} values not shown/);
  });

  it.each([
    ['there is nothing to choose from.', select({ ...field, options: [] })],
    ['there is nothing to choose from.', checkboxes({ ...field, options: [] })],
    [
      'no value is short enough to choose.',
      multiSelect({ ...field, options: choices('x'.repeat(99)) }),
    ],
  ])('without an option is a line: %s', (why, block) => {
    expect(sent(block)).toMatchObject({ type: 'section', text: { text: `*Org*: ${why}` } });
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
    const url = 'https://pay.example/1';
    expect(linkButton('Pay', url)).toMatchObject({ url });
    for (const wrong of ['javascript:alert(1)', 'pay', '', `https://x/${'y'.repeat(3_000)}`]) {
      expect(linkButton('Pay', wrong)).toBeUndefined();
    }
  });
});
