import { describe, expect, it } from 'vitest';
import {
  button,
  context,
  header,
  section,
  SIGN,
  table,
  actions,
} from '../../../../src/slack/kit/blocks.ts';
import { chart } from '../../../../src/slack/kit/charts.ts';
import { answerText, messageText } from '../../../../src/slack/kit/message-text.ts';
import { dataTable, Numeric } from '../../../../src/slack/kit/tables.ts';
import {
  bulletList,
  code,
  Mrkdwn,
  mrkdwn,
  person,
  Rich,
  rich,
  strong,
} from '../../../../src/slack/kit/text.ts';

const open = button({ action: 'open', text: 'Open', value: '1' });

/** Charges of so many workloads. */
const charges = (count: number) =>
  dataTable({
    caption: 'Charges by workload',
    columns: ['workload', 'charge', 'share'],
    rows: Array.from({ length: count }, (_, at) => ({
      cells: [`w-${at}`, new Numeric(at, `$${at}.00`), at === 0 ? '' : `${at} %`],
      button: open,
    })),
  });

describe('the text of a message', () => {
  it('is its headline, its lines, its changes and its next step, with small print and without buttons', () => {
    const text = messageText([
      header('Spend alert'),
      section(
        mrkdwn`${new Mrkdwn(SIGN.wrong)} *Reduced capacity* · *${'shop/cart'}* v3\n• Image v2 → v3\n“${'from 2 → 3'}”`,
      ),
      context(mrkdwn`org acme`, mrkdwn`⚠ 1 record could not be read`),
      section(mrkdwn`→ Raise memory`),
      actions(open),
    ]);

    expect(text.split('\n')).toEqual([
      'Spend alert',
      '🟠 Reduced capacity · shop/cart v3',
      'Changed: Image v2 → v3',
      '“from 2 → 3”',
      'org acme',
      '⚠ 1 record could not be read',
      'Next: Raise memory',
    ]);
  });

  it('reads five rows of a table as sentences, and counts the others', () => {
    expect(messageText([charges(7)]).split('\n')).toEqual([
      'w-0: charge $0.00',
      'w-1: charge $1.00; share 1 %',
      'w-2: charge $2.00; share 2 %',
      'w-3: charge $3.00; share 3 %',
      'w-4: charge $4.00; share 4 %',
      '2 more in the table',
    ]);
    expect(
      messageText([table([{ title: 'Org' }, { title: 'By' }], [['acme', person('U1')]])]),
    ).toBe('acme: by <@U1>');
    const group = new Rich([{ type: 'usergroup', usergroup_id: 'S1' }]);
    expect(
      messageText([
        table([{ title: 'Watch' }, { title: 'Posts' }], [['shop', rich`${group} too`]]),
      ]),
    ).toBe('shop: posts <!subteam^S1> too');
    expect(
      messageText([table([{ title: 'Org' }, { title: 'Change' }], [['acme', 'no change']])]),
    ).toBe('acme: no change');
  });

  it('says fractions in words, and the heading of a row that is a number', () => {
    expect(messageText([section(mrkdwn`lima 0/2, not \`1/2\`, shop/2 or 10.0.0.0/8`)])).toBe(
      'lima 0 of 2, not `1/2`, shop/2 or 10.0.0.0/8',
    );
    expect(
      messageText([table([{ title: 'Invoice' }, { title: 'Status' }], [['12', 'paid']])]),
    ).toBe('Invoice 12: status paid');
  });

  it('ends after a whole line when it is too long', () => {
    const line = 'x'.repeat(1_000);
    const text = messageText(Array.from({ length: 5 }, () => section(mrkdwn`${line}`)));

    expect(text.split('\n')).toEqual([line, line, line, '… more in the message']);
  });

  it('has lists of rich text, charts in words, and no bars of characters or codes of emoji', () => {
    const points = ['Mon', 'Tue'];
    const drawn = chart({
      title: 'By day',
      type: 'line',
      points,
      series: [{ name: 'acme', values: [1, 2] }],
    });
    expect(
      messageText([
        section(mrkdwn`${new Mrkdwn(':warning:')} So far ▂▄▆█ of ▰▰▱▱`),
        bulletList(rich`Roles`, [rich`${strong('Ada')}: <viewer>`]),
        drawn,
      ]),
    ).toBe('So far of\nRoles\nAda: &lt;viewer&gt;\nBy day\nacme: Mon 1, Tue 2, highest Tue 2');
  });

  it('has no marks of bold text and italics, and keeps those of foreign text', () => {
    const text = messageText([
      section(mrkdwn`*${'a'} ${code('b *c*')}* is ${'*d*'} of 2*3*4, _not_ ${'_e_'} f_g_h`),
    ]);
    expect(text).toBe('a `b *c*` is `*d*` of 2*3*4, not `_e_` f_g_h');
  });

  it('is never empty', () => {
    expect(messageText([])).toBe('–');
    expect(messageText([section(mrkdwn` `)])).toBe('–');
  });
});

it('the headline of an answer has at most 100 characters where it has parts', () => {
  const parts = Array.from({ length: 8 }, (_, at) => `part ${at} of a long line`).join(' · ');
  const [first = '', second = ''] = answerText([section(mrkdwn`${parts}`)]).split('\n');

  expect(first.length).toBeLessThanOrEqual(100);
  expect(`${first} · ${second}`).toBe(parts);
  expect(answerText([section(mrkdwn`${'x'.repeat(120)}`)])).toHaveLength(120);
});

it('has the figures of a long question in its headline, and the whole question below', () => {
  const figures = 'October 2026 (UTC) · $832.31, +2.4% vs September';
  const asked = mrkdwn`*Charges* by workload of ${code('cpu, memory')}, ${code('egress')} where ${code('gvc=/^(shop|data)$/')}`;

  expect(
    answerText([section(mrkdwn`${asked} · ${figures}`), section(mrkdwn`rows`)]).split('\n'),
  ).toEqual([
    `Charges by workload of \`cpu, memory\`, … · ${figures}`,
    'Charges by workload of `cpu, memory`, `egress` where `gvc=/^(shop|data)$/`',
    'rows',
  ]);
});
