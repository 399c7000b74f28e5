import { withPlainText } from '../../../src/reporting/chart.ts';
import { legendOf } from '../../../src/reporting/draw.ts';
import { context, section } from '../../../src/slack/kit/blocks.ts';
import { escapeText, Mrkdwn, mrkdwn } from '../../../src/slack/kit/text.ts';
import type { Upload } from '../../../src/slack/files.ts';
import { direct, HOUR, NOW, refusal, type Area, type Entry } from '../entry.ts';
import { startReports, typed, type World } from './reports-bot.ts';
import { meter, type Meter } from './reports-data.ts';

/** Rows of a file that are shown: its first ones. */
const SHOWN = 5;

type Asked = readonly [id: string, when: string, line: string, world?: World];

/** The file itself, as it comes in the messages with Purser: its words, its title and its content. */
function file(id: string, when: string, press: readonly string[], [, , line, world]: Asked): Entry {
  return direct(id, when, async () => {
    const { type, press: click, files, charts } = startReports(world);
    let shown = await type(line);
    for (const label of press) shown = await click(shown, label);
    const [sent] = files;
    const [chart] = charts.map(withPlainText);
    if (sent === undefined) throw new Error('there is no file');
    const lines = chart
      ? legendOf(chart).map(({ name, value }) => `${name}  ${value}`.trim())
      : linesIn(sent.content).slice(0, SHOWN);
    return {
      text: sent.comment,
      blocks: [
        section(mrkdwn`${sent.comment}`),
        section(mrkdwn`*${sent.title}* · ${sent.filename}`),
        section(new Mrkdwn(`\`\`\`${escapeText(lines.join('\n'))}\`\`\``)),
        ...(sent.altText === undefined ? [] : [context(mrkdwn`Description: ${sent.altText}`)]),
      ],
    };
  });
}

function linesIn(content: Upload['content']): string[] {
  return content instanceof Uint8Array ? Buffer.from(content).toString().split('\r\n') : [];
}

const CSV: readonly Asked[] = [
  ['charges', 'charges', '/charges last month by gvc'],
  [
    'charges-per-week',
    'charges in weeks that the range cuts',
    '/charges last month by gvc step week',
  ],
  ['usage', 'usage', '/usage last month by workload org acme'],
  ['hours', 'a range of hours', '/charges 2026-11-20T06:00:00Z..2026-11-20T12:00:00Z'],
  ['one-row', 'one row', '/charges 2026-11-20 of cpu where workload=web org acme'],
];

/** Hours in which there was nothing, among others. */
const NIGHTLY = Array.from({ length: 40 }, (_, at) => {
  const from = NOW - (3 + 12 * at) * HOUR;
  return meter('cpu', 3_600, { workload: 'nightly-report' }, { from, to: from + 6 * HOUR });
});
const STEADY = meter('volume-set-capacity-bytes', 3_600 * 100, {
  feature: 'volume-sets',
  performanceClass: 'general-purpose-ssd',
});

const CHARTS: readonly Asked[] = [
  ['running', 'a month that is not over', '/charges by gvc step day'],
  ['over', 'a month that is over', '/charges last month by org step day'],
  ['per-hour', 'hours', '/usage yesterday by workload of cpu org acme step hour'],
  ['per-week', 'weeks', '/charges last 3 months by gvc step week'],
  ['per-month', 'months of a year that is not over', '/charges this year by org step month'],
  [
    'many-lines',
    'more lines than there are colours',
    '/usage last 7 days by workload,location of memory step day',
  ],
  [
    'several-metrics',
    'several metrics, of which one is drawn',
    '/usage last 7 days by gvc org acme step day',
  ],
  [
    'gap',
    'one step without data',
    '/charges last month by workload step day',
    {
      meters: [
        meter('cpu', 7_200, {}, { to: Date.parse('2026-10-13') }),
        meter('cpu', 7_200, {}, { from: Date.parse('2026-10-14') }),
      ],
    },
  ],
  [
    'many-gaps',
    'more gaps than are named',
    '/usage last 14 days of cpu org acme step hour',
    { meters: NIGHTLY },
  ],
  [
    'equal-bars',
    'bars that are all equal',
    '/usage last 7 days org acme step day',
    { meters: [STEADY] },
  ],
  [
    'without-credits',
    'charges of which some are below 0',
    '/charges yesterday step day',
    {
      charges: [
        ['acme', '60.5'],
        ['globex', '-12'],
      ],
      before: [],
    },
  ],
  ['one-bar', 'one step', '/charges yesterday by gvc step day'],
];

/** The answers that are not alike: what else is said of a file is its name alone. */
const TOLD = ['charges', 'one-row', 'hours', 'running', 'several-metrics', 'without-credits'];

/** The answer to a click, and the file. */
function both(label: 'CSV' | 'Chart', shown: string, asked: Asked): Entry[] {
  const [id, of, line, world = {}] = asked;
  const name = `${label.toLowerCase()}-${id}`;
  const when = `The button "${label}" was clicked, for ${of}.`;
  return [
    ...(TOLD.includes(id) ? [typed(name, when, line, { world, press: [label] })] : []),
    file(`${name}-file`, `The file of ${of}: ${shown}.`, [label], asked),
  ];
}

export const files: Area = {
  id: 'report-files',
  title: 'Reports as files: CSV and charts',
  entries: [
    ...CSV.flatMap((asked) => both('CSV', 'its title, its name and its first lines', asked)),
    file(
      'csv-tiers-file',
      'The file of the pricing tiers.',
      ['Detail', 'CSV'],
      ['', '', '/charges last 60 days by gvc'],
    ),
    typed('csv-without-address', 'Slack does not say where the file is.', '/charges last month', {
      world: { fileAddress: '' },
      press: ['CSV'],
    }),
    typed(
      'csv-incomplete',
      'The button "CSV" was clicked, for charges of which some could not be read.',
      '/charges last month by gvc',
      { world: { skipped: 3, items: 'down' }, press: ['CSV'] },
    ),
    typed(
      'csv-incomplete-one-row',
      'The same, and one row could be read.',
      '/charges 2026-11-20 of cpu where workload=web org acme',
      { world: { skipped: 3 }, press: ['CSV'] },
    ),
    typed(
      'chart-incomplete',
      'The button "Chart" was clicked, for charges that may be too low.',
      '/charges last month by gvc step week',
      { world: { items: 'down' }, press: ['Chart'] },
    ),
    ...CHARTS.flatMap((asked) =>
      both('Chart', 'the title and the legend that are drawn, and its description', asked),
    ),
    refusal('csv-nothing-left', 'The charges are gone when the file is made.', async () => {
      const world: { meters?: readonly Meter[] } = {};
      const { type, press } = startReports(world);
      const shown = await type('/charges last month');
      world.meters = [];
      return press(shown, 'CSV');
    }),
    refusal('chart-nothing-to-draw', 'All charges are below 0, and bars cannot be.', async () => {
      const { type, press } = startReports({ charges: [['acme', '-12.5']], before: [] });
      return press(await type('/charges yesterday step day'), 'Chart');
    }),
    refusal('report-button-too-old', 'A button is clicked that is not kept any more.', async () => {
      const { type, press, forget } = startReports();
      const shown = await type('/charges last month');
      forget();
      return press(shown, 'By gvc');
    }),
  ],
};
