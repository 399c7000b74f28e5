import type { KnownBlock } from '@slack/types';
import { messageText } from '../../../../src/slack/kit/message-text.ts';
import { WebClient, type LogLevel } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOYMENTS_HELP } from '../../../../src/features/deployments/parse.ts';
import { statusAnswer } from '../../../../src/features/deployments/status-view.ts';
import { watchesAnswer } from '../../../../src/features/deployments/watch.ts';
import { overview } from '../../../../src/features/help/find.ts';
import { watchButton } from '../../../../src/features/tasks.ts';
import { UsageError } from '../../../../src/lib/errors.ts';
import { boltLogger } from '../../../../src/lib/logger.ts';
import { NO_POLL } from '../../../../src/rollouts/gvc-store.ts';
import { CREDENTIALS } from '../../../../src/sandbox/bot.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/server.ts';
import { actions, button } from '../../../../src/slack/kit/blocks.ts';
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
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { helpAnswer, unreadableAnswer } from '../../../../src/slack/replies/help-view.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import * as fc from '../../../support/fast-check.ts';
import type { Counts } from '../../../../src/rollouts/watch/causes.ts';
import type { State } from '../../../../src/rollouts/watch/location.ts';
import { statusesOf } from '../../../unit/features/deployments/harness.ts';
import { hostile, runs } from '../../../unit/slack/hostile.ts';
import { listeningLogger, MANIFEST } from '../support.ts';

const slack = createSandboxSlack({ ...CREDENTIALS, manifestPath: MANIFEST });
let client: WebClient;

beforeAll(async () => {
  await slack.listen();
  client = new WebClient(CREDENTIALS.botToken, {
    slackApiUrl: `${slack.url}/api/`,
    retryConfig: { retries: 0 },
    logger: boltLogger<LogLevel>(listeningLogger().logger),
  });
});
afterAll(async () => {
  await slack.close();
});

/** Posts it unchanged: Slack checks block rules, lengths and the sums over a whole message. */
async function accepted({ blocks }: Pick<Answer, 'blocks'>): Promise<boolean> {
  const text = messageText(blocks);
  const { ok } = await client.chat.postMessage({ channel: 'C0OPS', text, blocks });
  return ok;
}

const status = fc.record({
  workload: hostile,
  location: hostile,
  state: fc.constantFrom<State>('failed', 'ready', 'stale', 'deploying'),
  version: fc.nat(),
  have: fc.nat(9),
  counts: fc.nat().map((count): Counts => [['main', count]]),
  cause: hostile,
});

describe('Slack takes', () => {
  it('the refusal of a block that is not right, which the others are measured by', async () => {
    const empty: KnownBlock = { type: 'section', text: { type: 'mrkdwn', text: '' } };

    await expect(accepted({ blocks: [empty] })).rejects.toThrow('invalid_blocks');
  });

  it('every status, whatever the platform writes into it', async () => {
    const statuses = fc.array(status, { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        statuses,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        async (own, copies, skipped) => {
          const many = Array.from({ length: copies }, () => own).flat();
          const answer = statusAnswer({
            org: 'acme',
            defaultOrg: 'acme',
            target: { gvc: 'shop' },
            links: [],
            workloads: statusesOf(many),
            stuck: [],
            skipped,
            page: 1,
            now: Date.now(),
          });

          expect(await accepted(answer)).toBe(true);
        },
      ),
      { ...runs, numRuns: 60 },
    );
  });

  it('every list of watches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 60 }), async (errors) => {
        const entries = errors.map((error, index) => ({
          watch: { org: 'acme', gvc: `g${index}`, channel: 'C0OPS', quiet: true, configured: true },
          poll: { ...NO_POLL, failures: index, error },
        }));

        const where = { channel: 'C0OPS', here: true, defaultOrg: 'acme' };
        const view = { ...where, outside: false, entries, mutes: [], elsewhere: 3 };

        expect(await accepted(watchesAnswer({ ...view, now: Date.now() }))).toBe(true);
      }),
      { ...runs, numRuns: 60 },
    );
  });

  it('every help and every answer to something unreadable', async () => {
    expect(await accepted(helpAnswer(DEPLOYMENTS_HELP))).toBe(true);
    const tasks = [{ wish: 'Follow rollouts here', button: watchButton() }];
    expect(await accepted(overview([DEPLOYMENTS_HELP], { tasks }, undefined))).toBe(true);
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (sentence, suggestion) => {
        const error = new UsageError(sentence, suggestion);

        expect(await accepted(unreadableAnswer(DEPLOYMENTS_HELP, error))).toBe(true);
      }),
      { ...runs, numRuns: 60 },
    );
  });

  it('every row of controls and every field, whatever the values are', async () => {
    const option = fc.record(
      { text: hostile, value: hostile, about: hostile },
      { requiredKeys: ['text', 'value'] },
    );
    const options = fc.array(option, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(options, hostile, fc.nat({ max: 400 }), async (own, words, copies) => {
        const many = Array.from({ length: copies }, (_, n) => ({ text: words, value: `${n}` }));
        const choice = { label: words, hint: words, options: [...own, ...many] };
        const initial = own.map(({ value }) => value);
        const fields = [
          select({ id: 'a', ...choice, initial: initial[0] ?? '' }),
          multiSelect({ id: 'b', ...choice, initial, placeholder: words }),
          checkboxes({ id: 'c', ...choice, initial }),
          ...[textInput, numberInput, emailInput, dateInput].map((make, index) =>
            make({ id: `f${index}`, label: words, initial: words, placeholder: words }),
          ),
        ];
        const confirm = { title: words, question: words, yes: words, no: words };
        const press = button({ action: 'press', text: words, label: words, confirm });
        const menu = selectMenu({ action: 'menu', placeholder: words, options: choice.options });
        const blocks = layOut([], 'id', [actions(menu, press, press)]);

        expect(await accepted({ blocks })).toBe(true);
        const view = { type: 'home' as const, blocks: fields };
        expect((await client.views.publish({ user_id: 'U0ADA', view })).ok).toBe(true);
      }),
      { ...runs, numRuns: 40 },
    );
  });
});
