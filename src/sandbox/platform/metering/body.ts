import { SandboxError } from '../errors.ts';
import type { FilterBy } from './filter.ts';
import { parseInstant } from './time.ts';

/** The body of a usage or charge query (spec 4.1, 4.5); what it leaves out has a default. */
export interface QueryBody {
  readonly startTime: string;
  readonly endTime: string;
  readonly timeStep: string;
  readonly aggregateByTimeStep?: boolean;
  readonly groupBy?: readonly string[];
  readonly consumptionQueries: readonly ConsumptionQuery[];
  /** Account form only. */
  readonly orgs?: readonly string[];
  /** Charges only. */
  readonly detailed?: boolean;
}

interface ConsumptionQuery {
  readonly filterBy?: FilterBy;
  readonly aggregateBy?: readonly string[];
  /** Names. */
  readonly chargeableItems?: readonly string[];
}

/** The body of a tag-values query (spec 4.6). */
export interface TagValuesBody {
  readonly startTime: string;
  readonly endTime: string;
  readonly tag: string;
  readonly filterBy?: FilterBy;
}

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const filterBy = { type: 'object', additionalProperties: text };

export const QUERY_SCHEMA = {
  type: 'object',
  required: ['startTime', 'endTime', 'timeStep', 'consumptionQueries'],
  properties: {
    startTime: text,
    endTime: text,
    timeStep: text,
    aggregateByTimeStep: { type: 'boolean' },
    groupBy: texts,
    consumptionQueries: {
      type: 'array',
      items: {
        type: 'object',
        properties: { filterBy, aggregateBy: texts, chargeableItems: texts },
      },
    },
    orgs: texts,
    detailed: { type: 'boolean' },
  },
};

export const TAG_VALUES_SCHEMA = {
  type: 'object',
  required: ['startTime', 'endTime', 'tag'],
  properties: { startTime: text, endTime: text, tag: { ...text, minLength: 1 }, filterBy },
};

/**
 * Both times of a body, ms since the epoch; throws a SandboxError (400) for an invalid time, or one that ends
 * before it starts.
 */
export function readRange(body: { startTime: string; endTime: string }): {
  start: number;
  end: number;
} {
  const start = readTime('startTime', body.startTime);
  const end = readTime('endTime', body.endTime);
  if (end < start) throw new SandboxError(400, 'endTime must not be before startTime');
  return { start, end };
}

function readTime(field: string, value: string): number {
  const time = parseInstant(value)?.ms;
  if (time === undefined) {
    throw new SandboxError(400, `${field} must be an RFC 3339 time, not "${value}"`);
  }
  return time;
}
