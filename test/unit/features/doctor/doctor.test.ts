import { describe, expect, it } from 'vitest';
import type { Check, Finding } from '../../../../src/features/doctor/probe.ts';
import { createExamination } from '../../../../src/features/doctor/doctor.ts';
import { PlatformError } from '../../../../src/platform/errors.ts';
import { createLogger } from '../../../../src/lib/logger.ts';
import { createScrubber } from '../../../../src/lib/secret.ts';
import { readingOf } from './support.ts';
import { spoken } from '../../../support/answer.ts';

const SECRET = 'xyzzy-plugh-4711';
const fine: Finding = { what: 'Server', state: 'well', says: '7.2' };

function clinic(checks: readonly Check[], limits?: Parameters<typeof createExamination>[2]) {
  const lines: string[] = [];
  const time = { now: 1_700_000_000_000, passed: 0 };
  const services = {
    scrub: createScrubber([SECRET]),
    clock: { now: () => time.now },
    stopwatch: { elapsed: () => time.passed },
    logger: createLogger({
      level: 'debug',
      secrets: [SECRET],
      destination: { write: (line: string) => void lines.push(line) },
    }),
  };
  const ask = createExamination(services, checks, limits);
  return { ask, time, log: () => lines.join('') };
}

function countedCheck() {
  const waiting: (() => void)[] = [];
  let looks = 0;
  const check: Check = {
    area: 'Redis',
    run: () => {
      looks += 1;
      return new Promise((resolve) => {
        waiting.push(() => resolve([fine]));
      });
    },
  };
  return { check, looks: () => looks, finish: () => waiting.splice(0).forEach((end) => end()) };
}

describe('the doctor', () => {
  it('looks once for everybody who asks meanwhile, and remembers it for a minute', async () => {
    const { check, looks, finish } = countedCheck();
    const { ask, time } = clinic([check]);

    const both = [ask(), ask()];
    finish();
    const [first, second] = await Promise.all(both);
    time.passed += 59_999;
    // A person sets the clock of the machine.
    time.now += 3_600_000;
    const third = await ask();

    expect(looks()).toBe(1);
    expect([second, third]).toEqual([first, first]);
    time.passed += 1;
    time.now -= 7_200_000;
    const again = ask();
    finish();
    await again;
    expect(looks()).toBe(2);
  });

  it('makes a finding of a check that does not end at all', async () => {
    const stuck: Check = { area: 'Slack', run: () => new Promise(() => undefined) };
    const answer = await clinic([stuck], { timeoutMs: 20, graceMs: 20 }).ask();
    expect(readingOf(answer)).toContain('slow: not everything could be checked within 0 s');
  });

  it('takes the partial result of a check when its time is over', async () => {
    const slow: Check = {
      area: 'Platform',
      run: (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => setImmediate(() => resolve([fine])));
        }),
    };
    expect(spoken(await clinic([slow], { timeoutMs: 20 }).ask())).toContain(
      'Everything works: 1 check passed',
    );
  });

  it("explains a check that throws as the platform's error would be, with a fix", async () => {
    const check: Check = {
      area: 'Platform',
      run: () => {
        throw new PlatformError('unreachable', 'connect ECONNREFUSED');
      },
    };
    const answer = await clinic([check]).ask();

    expect(readingOf(answer)).toContain('The platform does not answer just now');
    expect(readingOf(answer)).toContain('→ run `/purser doctor` again in a minute');
  });

  it('says of a defect of its own that nothing is known, and logs it', async () => {
    const check: Check = { area: 'Work', run: () => Promise.reject(new TypeError('x is null')) };
    const { ask, log } = clinic([check]);

    const answer = await ask();

    expect(readingOf(answer)).toContain('the check itself failed');
    expect(readingOf(answer)).not.toContain('x is null');
    expect(log()).toContain('x is null');
  });

  it('shows no secret, whatever a check took over', async () => {
    const says = `the platform said: ${SECRET} is no key, nor is Bearer abcdef123456`;
    const check: Check = {
      area: SECRET,
      run: () => Promise.resolve([{ what: SECRET, state: 'broken', says, fix: says }]),
    };
    const answer = await clinic([check]).ask();

    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(JSON.stringify(answer)).not.toContain('abcdef123456');
    expect(JSON.stringify(answer)).toContain('[hidden]');
  });
});
