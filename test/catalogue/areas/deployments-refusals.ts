import { DETAILS_TITLE } from '../../../src/features/deployments/details-view.ts';
import { RUN_DETAILS_ACTION } from '../../../src/features/deployments/executions-view.ts';
import { DEPLOYMENTS_HELP } from '../../../src/features/deployments/parse.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { CARD_ACTIONS } from '../../../src/rollouts/render/parts.ts';
import { helpAnswer } from '../../../src/slack/replies/help-view.ts';
import { openFor } from '../../../src/slack/routing/windows.ts';
import { answer, modal, refusal, type Area, type Entry } from '../entry.ts';
import { harness, platform } from './deployments-data.ts';
import { click, windows } from './slack-edge-data.ts';

type Setting = Parameters<typeof harness>[0];

function unreadable(id: string, when: string, line: string, setting?: Setting): Entry {
  return refusal(
    `deployments-unreadable-${id}`,
    `${when} Typed: /deployments ${line}`,
    () => harness(setting).type(line),
    DEPLOYMENTS_HELP,
  );
}

const UNREADABLE: readonly (readonly [id: string, when: string, line: string])[] = [
  ['place', 'A name has too many parts.', 'shop/cart/aws-us-west-2/main'],
  ['name', 'A name has characters that no name may have.', 'watch sh%op'],
  ['subcommand', 'A subcommand is mistyped.', 'wathc shop'],
  ['keyword', 'A keyword is mistyped.', 'watch shop onyl failed'],
  ['word', 'A word that means nothing there.', 'shop please'],
  ['twice', 'A keyword is there twice.', 'watch shop quiet quiet'],
  ['time-twice', 'Two times in one mute.', 'mute 8h 2h shop'],
  ['org-without-name', 'The name of the org is missing.', 'shop org'],
  ['in-without-channel', 'The channel is missing.', 'watches in'],
  ['channel', 'A channel that Slack made no link of.', 'watch shop in #deploys'],
  ['only-without-outcome', 'The outcomes are missing.', 'watch shop only'],
  ['only-comma', 'A comma and no outcome.', 'watch shop only ,'],
  ['outcome', 'A mistyped outcome.', 'watch shop only faild'],
  ['outcome-unknown', 'A word that is like none of the outcomes.', 'watch shop only purple'],
  ['outcome-of-before', 'An outcome that there is no longer.', 'watch shop only lagging'],
  ['notify-nothing', 'The mention after “notify” is missing.', 'watch shop notify'],
  ['notify-text', 'A group that Slack made no mention of.', 'watch shop notify @oncall'],
  ['watch-nothing', 'A watch of nothing.', 'watch'],
  ['watch-location', 'A watch of one location.', 'watch shop/cart/aws-us-west-2'],
  ['unwatch-location', 'The end of a watch of one location.', 'unwatch shop/cart/aws-us-west-2'],
  ['watches-gvc', 'The list of watches with a name.', 'watches shop'],
  ['mute-location', 'A mute of one location.', 'mute 2h shop/cart/aws-us-west-2'],
  ['unmute-location', 'The end of a mute of one location.', 'mute off shop/cart/aws-us-west-2'],
  ['mute-off-time', 'The end of a mute, with a time.', 'mute off 8h'],
  ['mute-without-time', 'A mute without a time.', 'mute shop'],
  ['mute-org-without-time', 'A mute of an org without a time.', 'mute org acme'],
  ['mute-number', 'A number without a unit.', 'mute 90'],
  ['mute-fraction', 'A time with a fraction.', 'mute 1.5h shop'],
  ['mute-tonight', 'A word in the place of the time.', 'mute shop/cart tonight'],
  ['mute-of', 'A mistyped “off”.', 'mute of shop'],
  ['mute-too-long', 'A mute that is too long.', 'mute 60d shop'],
  ['mute-too-short', 'A mute that is too short.', 'mute 0m'],
  ['jobs-nothing', 'Runs of nothing.', 'jobs'],
  ['jobs-gvc', 'Runs of a whole GVC.', 'jobs data'],
];

/** A platform that finds nothing. */
const ABSENT = (): Promise<never> =>
  Promise.reject(new PlatformError('not-found', 'gvc not found', { status: 404 }));
const UNKNOWN: Setting = {
  over: { deployments: platform({ listGvc: ABSENT, listWorkload: ABSENT }) },
};

const TWO_ORGS: Setting = { over: { orgs: { known: ['acme', 'beta'], fallback: undefined } } };

function refused(id: string, when: string, line: string, setting: Setting): Entry {
  return refusal(
    `deployments-refused-${id}`,
    when,
    () => harness(setting).type(line),
    DEPLOYMENTS_HELP,
  );
}

/** The window behind a button that carries something else than it was given. */
function refusedWindow(id: string, when: string, value: string | undefined, action: string): Entry {
  return modal(`deployments-refused-button-${id}`, when, async () => {
    const { services, shown } = windows();
    await openFor(services, click(), { title: DETAILS_TITLE }, async (show) => {
      const content = await harness().open(value, action);
      if (content !== undefined) await show(content);
    });
    return shown();
  });
}

export const deploymentsRefusals: Area = {
  id: 'deployments-refusals',
  title: '/deployments: help, and refusals',
  entries: [
    answer('deployments-help', 'Nothing was typed after the command, or “help”.', () =>
      helpAnswer(DEPLOYMENTS_HELP),
    ),
    ...UNREADABLE.map(([id, when, line]) => unreadable(id, when, line)),
    answer('deployments-org-missing', 'There are several orgs, and none is named.', () =>
      harness(TWO_ORGS).type('shop'),
    ),
    answer('deployments-org-missing-watch', 'The same, for a watch of another channel.', () =>
      harness(TWO_ORGS).type('watch shop in <#C0DEPLOYS|deploys> only failed'),
    ),
    refused('org-unknown', 'The org has no key.', 'shop org missing', {}),
    refused('gvc-unknown', 'There is no such GVC.', 'shpo', UNKNOWN),
    refused('workload-unknown', 'There is no such workload.', 'shop/crat', UNKNOWN),
    refused('location-unknown', 'There is no such location.', 'shop/cart/aws-us-west-9', UNKNOWN),
    refused(
      'gvc-like-subcommand',
      'There is no such GVC, and its name is much like a subcommand.',
      'watchs',
      UNKNOWN,
    ),
    refused('watch-outside', 'Purser is not in the channel that is to watch.', 'watch shop', {
      channels: { hasBot: false },
    }),
    refused(
      'foreign-channel',
      'A person aims at a channel that they are not in.',
      'mute 8h in <#C0BILLING|billing>',
      { channels: { hasPerson: false } },
    ),
    refused(
      'unknown-channel',
      'A person names another channel, and Slack does not answer whether they are a member.',
      'mute 8h in <#C0BILLING|billing>',
      { channels: { hasPerson: undefined } },
    ),
    refusedWindow('place', 'Below a button is no place.', undefined, CARD_ACTIONS.details),
    refusedWindow('org', 'The org of a button has no key.', 'absent/shop', CARD_ACTIONS.details),
    refusedWindow('runs', 'A button for runs names a whole GVC.', 'acme/data', RUN_DETAILS_ACTION),
    refusal('deployments-refused-button-channel', 'A card was clicked outside a channel.', () =>
      harness().click(CARD_ACTIONS.muteOneHour, 'acme/shop/cart', null),
    ),
  ],
};
