import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { hashOf, verifyAudit, type AuditLine, type Verdict } from '../../../src/store/audit.ts';

const LINES: readonly AuditLine[] = [
  // The keys are in another order than those that the code knows.
  { event: 'refused', why: 'rôle "x"', by: 'U0EVE', at: 1, what: 'changes.ask.user.add' },
  {
    at: 2,
    change: 'k3m9x2ab',
    event: 'request',
    state: 'pending',
    order: { amount: 0.1, b: 1e21 },
  },
  { at: 3, change: 'k3m9x2ab', event: 'approve', state: 'approved', comment: 'é 🎉 \ud800' },
  { at: 4, event: 'notices.stop', by: 'U0ADA', what: 'alert' },
];

/** As `/changes` sends the audit. */
function exportOf(lines: readonly AuditLine[], previous = ''): string[] {
  let hash = previous;
  return lines.map((line, index) => {
    hash = hashOf(hash, JSON.stringify(line));
    return JSON.stringify({ ...line, entry: `${index + 1}-0`, hash });
  });
}

const verify = (lines: readonly string[]): Promise<Verdict> => verifyAudit(Readable.from(lines));

function without(text: string, field: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), [field]: undefined });
}

describe('an export of the audit', () => {
  const whole = exportOf(LINES);
  const lastHash = (JSON.parse(whole[3] ?? '') as { hash: string }).hash;

  it('is a chain, whatever its lines say', async () => {
    expect(await verify(whole)).toEqual({
      lines: 4,
      chained: 4,
      from: 'start',
      lastHash,
    });
  });

  it('may begin in the middle', async () => {
    expect(await verify(whole.slice(2))).toEqual({
      lines: 2,
      chained: 2,
      from: 'middle',
      lastHash,
    });
  });

  it('may have empty lines, which count', async () => {
    const broken = [...whole.slice(0, 2), '', whole[3] ?? ''];
    expect(await verify(broken)).toMatchObject({ chained: 2, broken: { line: 4, entry: '4-0' } });
    expect(await verify([...whole, ''])).toMatchObject({ lines: 5, chained: 4 });
    expect(await verify([])).toEqual({ lines: 0, chained: 0 });
  });

  it.each<[string, string[], number]>([
    ['a line was changed', whole.with(2, (whole[2] ?? '').replace('approve"', 'reject"')), 3],
    ['a line was removed', whole.toSpliced(1, 1), 2],
    ['a line was added', whole.toSpliced(1, 0, exportOf(LINES.slice(1, 2), 'x')[0] ?? ''), 2],
    ['two lines changed places', [whole[0], whole[2], whole[1], whole[3]].map(String), 2],
    ['the hash of a line was removed', whole.with(2, without(whole[2] ?? '', 'hash')), 3],
    ['a hash was changed', whole.with(1, (whole[1] ?? '').replace(/[^0]"\}$/, '0"}')), 2],
    ['the first line lost its hash', whole.with(0, without(whole[0] ?? '', 'hash')), 1],
    ['a line is invalid', whole.with(1, '{"at":'), 2],
    ['a line has no event', whole.with(1, without(whole[1] ?? '', 'event')), 2],
  ])('is broken where %s', async (_, lines, line) => {
    const verdict = await verify(lines);
    expect(verdict.broken?.line).toBe(line);
    expect(verdict.lines).toBe(lines.length);
  });
});
