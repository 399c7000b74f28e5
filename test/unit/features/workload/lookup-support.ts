import { envAnswer } from '../../../../src/features/workload/lookups.ts';
import { tagsAnswer } from '../../../../src/features/workload/lookups.ts';
import type { Brand } from '../../../../src/platform/workload/addresses.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';
import { tableOf } from '../../../support/answer.ts';

const SVC: Brand = { prefix: 'svc', orgEndpointPrefixes: new Map() };

/** The answer to `/workload tags [WORD]`, line by line beside its table. */
export function tagLines(word?: string, brand: Partial<Brand> = {}): string[] {
  return linesOf(tagsAnswer({ brand: { ...SVC, ...brand }, word }));
}

/** The answer to `/workload env [WORD]`, line by line beside its table. */
export function envLines(word?: string, brand: Partial<Brand> = {}): string[] {
  return linesOf(envAnswer({ brand: { ...SVC, ...brand }, word }));
}

/** All facts about one tag, line by line. */
export function tag(name: string): string[] {
  return tagLines(`svc/${name}`).filter((line) => !line.startsWith('Also '));
}

/** The rows of `/workload tags`: name, effect, values, default. */
export function tagRows(word?: string, brand: Partial<Brand> = {}): string[][] {
  return rowsIn(tagsAnswer({ brand: { ...SVC, ...brand }, word }));
}

/** The rows of `/workload env`: name, meaning, form. */
export function envRows(word?: string, brand: Partial<Brand> = {}): string[][] {
  return rowsIn(envAnswer({ brand: { ...SVC, ...brand }, word }));
}

function rowsIn(answer: Answer): string[][] {
  return tableOf(answer)
    .slice(1)
    .map((row) => row.slice(0, -1));
}

function linesOf({ blocks }: Answer): string[] {
  return textsIn(blocks).flatMap((text) => text.split('\n'));
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return [String(value.text)];
  return Object.values(value).flatMap(textsIn);
}
