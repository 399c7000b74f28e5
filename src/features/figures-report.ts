import type { Draw } from '../figures/draw.ts';
import { chargesIn, tiersIn } from './charges/report.ts';
import { reportOf } from './consumption/report.ts';
import type { FiguresJob, FiguresReport } from './consumption/report.ts';
import { usageIn } from './usage/report.ts';

/** Makes of the platform's answers what a person sees of them, or a file. @throws PlatformError, Refusal */
export async function figuresReport(
  { bodies, wanted }: FiguresJob,
  draw: Draw,
): Promise<FiguresReport> {
  const isOfTiers = wanted.kind === 'tiers' || wanted.kind === 'csv of tiers';
  const inCharges = isOfTiers ? tiersIn : chargesIn;
  const found = bodies.source === 'charges' ? inCharges(bodies) : usageIn(bodies);
  return found === undefined ? { kind: 'needs items' } : reportOf(bodies, found, wanted, draw);
}
