import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checked } from './check-support.ts';

const PUBLISHED = new URL('manifests/published/', import.meta.url);

it.each(readdirSync(PUBLISHED))('%s, as charts publish it, raises no warning', (name) => {
  const { findings, workloads, fields } = checked(readFileSync(new URL(name, PUBLISHED), 'utf8'));
  const raised = findings.filter(({ severity }) => severity !== 'note');

  expect(raised.map(({ line, path, what }) => `${line} ${path} ${what}`)).toEqual([]);
  // In silence, and not by looking at nothing.
  expect(workloads.filter((workload) => workload === '')).toEqual([]);
  expect(fields.total).toBeGreaterThan(9);
});
