import type { Rule } from './rule.ts';
import { SECTION_2_CHARGES } from './section-2-charges.ts';
import { SECTION_2_CONTAINERS } from './section-2-containers.ts';
import { SECTION_2_DEPLOYMENT } from './section-2-deployment.ts';
import { SECTION_2_ENVIRONMENT } from './section-2-environment.ts';
import { SECTION_2_INVOICES } from './section-2-invoices.ts';
import { SECTION_2_RECORDS } from './section-2-records.ts';
import { SECTION_2_WORKLOAD } from './section-2-workload.ts';
import { SECTION_3 } from './section-3.ts';
import { SECTION_4_CHARGES } from './section-4-charges.ts';
import { SECTION_4_INVOICES } from './section-4-invoices.ts';
import { SECTION_4_PEOPLE } from './section-4-people.ts';
import { SECTION_4_RECORDS } from './section-4-records.ts';
import { SECTION_4_USAGE } from './section-4-usage.ts';
import { SECTION_5 } from './section-5.ts';
import { SECTION_6 } from './section-6.ts';
import { SECTION_7 } from './section-7.ts';
import { SECTION_8 } from './section-8.ts';
import { SECTION_9 } from './section-9.ts';

/** Every rule of sections 2 to 9 of the specification, in its order. */
export const RULES: readonly Rule[] = [
  ...SECTION_2_RECORDS,
  ...SECTION_2_CHARGES,
  ...SECTION_2_INVOICES,
  ...SECTION_2_DEPLOYMENT,
  ...SECTION_2_CONTAINERS,
  ...SECTION_2_WORKLOAD,
  ...SECTION_2_ENVIRONMENT,
  ...SECTION_3,
  ...SECTION_4_CHARGES,
  ...SECTION_4_INVOICES,
  ...SECTION_4_RECORDS,
  ...SECTION_4_PEOPLE,
  ...SECTION_4_USAGE,
  ...SECTION_5,
  ...SECTION_6,
  ...SECTION_7,
  ...SECTION_8,
  ...SECTION_9,
];
