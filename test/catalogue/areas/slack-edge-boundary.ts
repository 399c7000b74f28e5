import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/parse.ts';
import { Refusal, UsageError } from '../../../src/lib/errors.ts';
import {
  dedupeDeliveries,
  type DeliveryState,
} from '../../../src/slack/connection/http-receiver.ts';
import { button, section } from '../../../src/slack/kit/blocks.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { helpAnswer, unreadableAnswer } from '../../../src/slack/replies/help-view.ts';
import { noCommand, OLD_BUTTON } from '../../../src/slack/routing/clicks.ts';
import { createPersonLimit } from '../../../src/slack/routing/person-limit.ts';
import { route } from '../../../src/slack/routing/router.ts';
import { openingAnswer } from '../../../src/slack/routing/mentions.ts';
import { listed } from '../../../src/features/list.ts';
import { plainBlocks } from '../../../src/slack/native-blocks.ts';
import { Numeric } from '../../../src/slack/kit/tables.ts';
import type { Answer, CommandHelp, FormRoute } from '../../../src/slack/routing/routes.ts';
import { answer, refusal, type Area } from '../entry.ts';
import { harness } from './deployments-data.ts';
import { boundary, BUSY, QUIET, windows } from './slack-edge-data.ts';

const stopped = AbortSignal.abort();
const AWAY: readonly Exclude<DeliveryState, 'new' | 'seen' | 'replay'>[] = [
  'unavailable',
  'OOM',
  'READONLY',
  'MISCONF',
];

/** A command while the store cannot show whether it was delivered before. */
async function unheard(state: DeliveryState): Promise<Answer> {
  let text = '';
  const ack = (said: { text: string }): Promise<void> => {
    ({ text } = said);
    return Promise.resolve();
  };
  const args = { ack, command: {}, body: { trigger_id: 'trigger' }, context: {} };
  await dedupeDeliveries(() => Promise.resolve(state), QUIET)(args as never);
  return { blocks: [section(mrkdwn`${text}`)] };
}

/** A line typed after /deployments, as the whole bot answers it. */
async function typed(line: string): Promise<Answer> {
  const bot = windows();
  const run = (): Promise<Answer> => harness().type(line);
  const command = { help: DEPLOYMENTS_HELP, parse: () => ({ command: undefined }), run };
  route(bot.services, [{ commands: [command] }]);
  const asked = { command: '/deployments', text: line, user_id: 'U0ADA', team_id: 'T0ACME' };
  await bot.give('command', { ...asked, command: asked });
  return bot.reported();
}

/** A command with all that a help can have. */
const HELP: CommandHelp = {
  command: '/sample',
  summary: 'One sentence on what the command is for.',
  usages: [
    { text: '/sample show NAME', does: 'what the first way to write it does' },
    { text: '/sample list [org NAME]', does: 'what the second way to write it does' },
  ],
  notes: ['a note that holds for all of it', 'another one'],
  examples: ['/sample show cart', '/sample list org acme'],
};

const FORM: FormRoute = {
  actionId: 'ask.alert.set',
  callbackId: 'asked.alert.set',
  title: 'Set the spend alert',
  fill: () => Promise.resolve(),
  submit: () => ({ errors: {} }),
};

export const slackEdgeBoundary: Area = {
  id: 'boundary',
  title: 'Where any command, click or form may end',
  entries: [
    refusal('person-limit', 'A person sends more than one person may.', () => {
      const redis = { eval: async () => 35_000 };
      const keys = { personLimit: () => 'limit' };
      const services = { redis, keys, logger: QUIET, config: { personLimit: 30 } };
      return createPersonLimit(services as never)('U0ADA');
    }),
    refusal('another-release-command', 'A command is typed that another release has.', () =>
      Promise.resolve(noCommand('/forecast')),
    ),
    refusal('another-release-button', 'A button is pressed that another release posted.', () =>
      Promise.resolve(OLD_BUTTON),
    ),
    answer('message-of-a-form', 'A message to Purser asks for a change.', () =>
      openingAnswer({ form: FORM, value: 'given' }),
    ),
    answer(
      'plain-table',
      'Slack takes no data tables: the same as a table, with buttons below.',
      () => {
        const { blocks } = listed({
          caption: 'Charges by workload',
          columns: [
            { title: 'Workload', of: (at: number) => `web-${at + 1}` },
            { title: 'Charge', of: (at) => new Numeric(at, `$${at}.00`) },
          ],
          rows: Array.from({ length: 120 }, (_, at) => at),
          step: (at) => button({ action: 'open', text: 'Open', value: String(at) }),
        });
        return { blocks: plainBlocks(blocks) };
      },
    ),
    answer('boundary-restarting', 'Purser is being stopped while it works on something.', () =>
      boundary(() => Promise.reject(BUSY), { stopping: stopped }),
    ),
    answer('boundary-defect', 'Something failed that no one thought of.', () =>
      boundary(() => Promise.reject(new TypeError('a defect'))),
    ),
    answer('boundary-platform-away', 'The platform does not answer.', () =>
      boundary(() => Promise.reject(BUSY)),
    ),
    answer('boundary-refused-by-failure', 'A no that stands for something that failed.', () =>
      boundary(() => Promise.reject(new Refusal('(Why not.)', new Error('the cause')))),
    ),
    answer('boundary-suggestion', 'Something unreadable behind a click, which has no help.', () =>
      boundary(() => Promise.reject(new UsageError('(What is wrong.)', '/sample show cart'))),
    ),
    ...AWAY.map((state) =>
      answer(
        `boundary-store-${state.toLowerCase()}`,
        state === 'unavailable'
          ? 'Redis does not answer when something is typed, clicked or submitted.'
          : `Redis takes no writes when something is typed, clicked or submitted: ${state}.`,
        () => unheard(state),
      ),
    ),
    answer('boundary-help', 'Help on a command that has all that a help can have.', () =>
      helpAnswer(HELP),
    ),
    answer('boundary-unreadable', 'Words that cannot be read as the command.', () =>
      unreadableAnswer(HELP, new UsageError('(What is wrong.)')),
    ),
    answer('boundary-unreadable-suggestion', 'The same, with a suggestion.', () =>
      unreadableAnswer(HELP, new UsageError('(What is wrong.)', '/sample show cart')),
    ),
    answer('boundary-unreadable-subcommand', 'The same, where one subcommand was meant.', () =>
      unreadableAnswer(HELP, new UsageError('(What is wrong.)').about('/sample show')),
    ),
    answer('boundary-typed-help-mistyped', '“help” is mistyped. Typed: /deployments hlep it', () =>
      typed('hlep it'),
    ),
    answer('boundary-typed-quotes', 'A quotation mark is never closed.', () => typed('"shop')),
    answer('boundary-typed-too-long', 'A command of more than 4 KB.', () =>
      typed('x'.repeat(5_000)),
    ),
  ],
};
