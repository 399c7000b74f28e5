import { expect, it } from 'vitest';
import { planAnswer } from '../../../../src/features/workload/plan-view.ts';
import { tableOf } from '../../../support/answer.ts';

it("a plan lists all batches, and has pages beyond Slack's limits", () => {
  const options = { replicas: 1_000, maxSurge: { value: 1, percent: false } };
  const show = (page: number) => planAnswer(options, page);
  const pages = Array.from({ length: show(1).pages ?? 0 }, (_, index) => show(index + 1));
  const rows = pages.flatMap((one) => tableOf(one).slice(1));

  expect(rows).toHaveLength(1_001);
  expect(rows.at(-2)?.slice(0, 2)).toEqual(['1,000', '1,000 (100%)']);
  expect(pages.at(-1)?.asked).toEqual({ route: 'workload.plan', question: options, page: 6 });
});
