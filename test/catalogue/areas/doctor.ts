import { CHECK_TIMEOUT_MS, type Check, type Finding } from '../../../src/features/doctor/probe.ts';
import { createExamination, tooSlow } from '../../../src/features/doctor/doctor.ts';
import { PlatformError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/lib/logger.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { answer, NOW, type Area } from '../entry.ts';
import { billingWell, expiringToken } from './doctor-billing.ts';
import { examined, type Findings } from './doctor-data.ts';
import { narrowMemory, ownWell, settingsOff, settingsWithoutBilling } from './doctor-own.ts';
import { manyOrgs, platformWell } from './doctor-platform.ts';
import { archived, slackWell } from './doctor-slack.ts';

const allWell = (): Findings => ({
  ...slackWell(),
  ...platformWell(),
  ...billingWell(),
  ...ownWell(),
});

/** All is well, except for these findings. */
function withTrouble(more: Findings): Answer {
  const all = Object.entries(allWell()).map(([area, fine]): [string, readonly Finding[]] => [
    area,
    [...(more[area] ?? []), ...fine],
  ]);
  return examined(Object.fromEntries(all));
}

/** The doctor with checks that fail in each way. */
function failingDoctor(): Promise<Answer> {
  const { Platform = [], Redis = [] } = allWell();
  const checks: readonly Check[] = [
    { area: 'Platform', run: () => Promise.resolve(Platform) },
    { area: 'Redis', run: () => Promise.resolve(Redis) },
    { area: 'Slack', run: () => Promise.resolve(tooSlow('Slack', CHECK_TIMEOUT_MS)) },
    {
      area: 'Billing',
      run: () => Promise.reject(new PlatformError('unavailable', '', { status: 503 })),
    },
    { area: 'Work', run: () => Promise.reject(new TypeError()) },
  ];
  return createExamination(
    {
      scrub: (text) => text,
      clock: { now: () => NOW },
      stopwatch: { elapsed: () => 0 },
      logger: createLogger({ level: 'silent', secrets: [] }),
    },
    checks,
  )();
}

/** More than there is room for, of everything. */
function tooMuch(): Answer {
  const copies = Object.entries(allWell()).flatMap(([area, fine]) =>
    [1, 2, 3].map((number): [string, readonly Finding[]] => [`${area} ${number}`, fine]),
  );
  return examined({ ...Object.fromEntries(copies), Platform: manyOrgs(30) });
}

export const doctor: Area = {
  id: 'doctor',
  title: '/purser doctor',
  entries: [
    answer('doctor-all-well', 'Everything is set up and works.', () => examined(allWell())),
    answer('doctor-well-and-some-off', 'Everything works, and some things are not set up.', () =>
      examined({ ...allWell(), Settings: settingsOff() }, 640),
    ),
    answer('doctor-no-card', 'The billing account has no card, and may pay in another way.', () =>
      examined({ ...allWell(), ...billingWell({ paymentMethods: [] }) }),
    ),
    answer('doctor-without-billing', 'Billing is not set up, and everything else works.', () => {
      const { Billing: _, ...rest } = allWell();
      return examined({ ...rest, Settings: settingsWithoutBilling() });
    }),
    answer('doctor-one-off', 'Everything works, and one thing is not set up.', () =>
      examined({ ...allWell(), Settings: settingsOff().slice(0, 1) }),
    ),
    answer('doctor-one-doubtful', 'One thing may not work for long.', () =>
      withTrouble({ Redis: narrowMemory() }),
    ),
    answer('doctor-two-doubtful', 'Several things may not work for long.', () =>
      withTrouble({ Redis: narrowMemory(), Billing: expiringToken() }),
    ),
    answer('doctor-one-broken', 'One thing does not work.', () =>
      withTrouble({ Channels: archived('shop') }),
    ),
    answer(
      'doctor-broken-and-one-doubtful',
      'Things do not work, and another may not for long.',
      () =>
        withTrouble({
          Channels: archived('shop', 'lab'),
          Redis: narrowMemory(),
        }),
    ),
    answer(
      'doctor-broken-and-doubtful',
      'One thing does not work, and others may not for long.',
      () =>
        withTrouble({
          Channels: archived('shop'),
          Redis: narrowMemory(),
          Billing: expiringToken(),
        }),
    ),
    answer(
      'doctor-not-looked-at',
      'A check takes too long, one meets a platform that is away, and one fails by a defect of Purser.',
      failingDoctor,
    ),
    answer('doctor-too-much', 'More was found than one answer has room for.', tooMuch),
  ],
};
