import { describe, expect, it } from 'vitest';
import { fieldsOf, stateValues } from '../../../../src/sandbox/slack/page/input-state.ts';

const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });

const input = (block_id: string, element: object) => ({
  type: 'input',
  block_id,
  label: { type: 'plain_text', text: block_id },
  element,
});

describe('the state of a view', () => {
  it('begins with the values that the bot set, in the member that Slack has for each element', () => {
    const blocks = [
      input('text', { type: 'plain_text_input', action_id: 'a', initial_value: 'x' }),
      input('empty', { type: 'number_input', action_id: 'a' }),
      input('one', { type: 'static_select', action_id: 'a', initial_option: option('1') }),
      input('many', { type: 'checkboxes', action_id: 'a', initial_options: [option('1')] }),
      input('day', { type: 'datepicker', action_id: 'a', initial_date: '2026-10-05' }),
      input('files', { type: 'file_input', action_id: 'a' }),
    ];
    expect(stateValues(blocks, {})).toEqual({
      text: { a: { type: 'plain_text_input', value: 'x' } },
      empty: { a: { type: 'number_input', value: null } },
      one: { a: { type: 'static_select', selected_option: option('1') } },
      many: { a: { type: 'checkboxes', selected_options: [option('1')] } },
      day: { a: { type: 'datepicker', selected_date: '2026-10-05' } },
      files: { a: { type: 'file_input', files: [] } },
    });
  });

  it('keeps an entry while the bot redraws, but not for another element', () => {
    const edits = { amount: { a: { type: 'number_input', value: '500' } } };
    const redrawn = [input('amount', { type: 'number_input', action_id: 'a', initial_value: '1' })];
    const other = [input('amount', { type: 'plain_text_input', action_id: 'a' })];

    expect(stateValues(redrawn, edits)['amount']?.['a']?.value).toBe('500');
    expect(stateValues(other, edits)['amount']?.['a']?.value).toBeNull();
    expect(stateValues([], edits)).toEqual({});
  });

  it('finds elements in actions and sections, and leaves out those that hold nothing', () => {
    const select = { type: 'static_select', action_id: 'pick' };
    const blocks = [
      { type: 'section', block_id: 's', accessory: select },
      { type: 'actions', block_id: 'x', elements: [{ type: 'button', action_id: 'go' }, select] },
      { type: 'context', block_id: 'c', elements: [{ type: 'mrkdwn', text: 'x' }] },
    ];
    expect(fieldsOf(blocks).map(({ blockId, actionId }) => `${blockId}.${actionId}`)).toEqual([
      's.pick',
      'x.go',
      'x.pick',
    ]);
    expect(Object.keys(stateValues(blocks, {})['x'] ?? {})).toEqual(['pick']);
  });
});
