import * as fc from '../../support/fast-check.ts';
import { expect, it } from 'vitest';
import { Change, isOpen } from '../../../src/changes/change.ts';
import { dueOf, move, type ChangeEvent } from '../../../src/changes/states.ts';
import { anyEvents, anyRequest } from './any-change.ts';

interface Move {
  readonly from: Change;
  readonly event: ChangeEvent;
  readonly to: Change;
}

/** Everything that became of a request by events, those that could not happen left out. */
function lifeOf(request: Change, events: readonly ChangeEvent[]): Move[] {
  const life: Move[] = [];
  let from = request;
  for (const event of events) {
    const to = move(from, event);
    if (to) life.push({ from, event, to });
    from = to ?? from;
  }
  return life;
}

/** Checks every life. Each of its moves has to hold to `rule`. */
function always(rule: (life: readonly Move[]) => void): void {
  fc.assert(
    fc.property(anyRequest, anyEvents, (request, events) => rule(lifeOf(request, events))),
    { numRuns: 500 },
  );
  expect.hasAssertions();
}

/** The arrows of design section 5; `executing` and what follows may also stay as it is. */
const ARROWS: Record<Change['state'], readonly Change['state'][]> = {
  pending: ['pending', 'approved', 'rejected', 'expired', 'withdrawn'],
  approved: ['approved', 'executing', 'drifted', 'refused', 'withdrawn'],
  executing: ['executing', 'approved', 'succeeded', 'failed', 'unknown'],
  succeeded: ['succeeded'],
  failed: [],
  unknown: [],
  rejected: [],
  expired: [],
  withdrawn: [],
  drifted: [],
  refused: [],
};

it('a change moves along the arrows only, a version at a time', () => {
  always((life) => {
    for (const { from, to } of life) {
      expect(ARROWS[from.state]).toContain(to.state);
      expect(to.version).toBe(from.version + 1);
    }
  });
});

it('its call is claimed once at most, and nothing succeeds or is in doubt without', () => {
  always((life) => {
    const count = (kind: string) => life.filter(({ event }) => event.kind === kind).length;
    const isSuspect = life.some(({ event }) => event.kind === 'suspect');
    const claims = count('claim') - count('unclaim') + Number(isSuspect);
    expect(count('claim') - count('unclaim')).toBeLessThanOrEqual(1);
    const isSent = life.some(({ to }) => to.state === 'succeeded' || to.state === 'unknown');
    expect(claims >= Number(isSent)).toBe(true);
  });
});

it('self-approval is refused unless allowed, and approval never comes too late', () => {
  always((life) => {
    for (const { from, event } of life.filter(({ to }) => to.decision !== undefined).slice(0, 1)) {
      if (event.kind !== 'approve' && event.kind !== 'reject') continue;
      const isOwn = event.by?.userId === from.requester.userId;
      expect(event.kind === 'approve' && isOwn && !event.self).toBe(false);
      expect(event.at).toBeLessThan(from.expiresAt);
    }
  });
});

it('an ended change is not due, except for a secret', () => {
  always((life) => {
    for (const { to } of life) {
      expect(dueOf(to) !== undefined).toBe(isOpen(to) || isSecretOnItsWay(to));
    }
  });
});

it('a secret is shown once at most, and not when it was given up', () => {
  always((life) => {
    const kinds = life.map(({ event }) => event.kind);
    expect(kinds.filter((kind) => kind === 'open').length).toBeLessThanOrEqual(1);
    expect(kinds.includes('reveal') && kinds.includes('lapse')).toBe(false);
    expect(kinds.filter((kind) => kind === 'clean').length).toBeLessThanOrEqual(1);
  });
});

it('a change survives being written and read', () => {
  always((life) => {
    for (const { to } of life) {
      expect(Change.parse(JSON.parse(JSON.stringify(to)))).toStrictEqual(to);
    }
  });
});

it('the same event never happens twice to what it moved, but reminders, waits and sending again', () => {
  const again = new Set(['remind', 'wait', 'resend']);
  always((life) => {
    const twice = life.filter(({ event, to }) => !again.has(event.kind) && move(to, event));
    expect(twice).toEqual([]);
  });
});

function isSecretOnItsWay({ secret }: Change): boolean {
  if (secret === undefined || secret.state === 'revealed') return false;
  return secret.cleaned === undefined;
}
