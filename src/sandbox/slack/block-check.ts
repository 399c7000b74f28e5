import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { asJson, asList, asText, isJson, objectsOf, type Json } from './json.ts';
import { cellElements, crossChecks, type BlockProblem } from './block-rules.ts';
import { LIMITS } from './limits.ts';
import { BLOCK_RULES, VIEW_RULE, type Holds, type Surface } from './schema-blocks.ts';
import { ELEMENTS, type Schema } from './schema-elements.ts';

export interface BlockChecker {
  /** Every problem of a list of blocks on this surface; empty when Slack would take it. */
  blocks(value: unknown, surface: Surface): BlockProblem[];
  /** The same for a whole view. */
  view(value: unknown): BlockProblem[];
}

function problemOf(prefix: string, error: ErrorObject): BlockProblem {
  const params = error.params as Json;
  const missing = params['missingProperty'];
  const pointer = prefix + error.instancePath;
  const base = { pointer, constraint: { type: error.keyword, ...params } };
  if (error.keyword === 'required') {
    return {
      ...base,
      code: 'missing_field',
      message: `missing required field: ${String(missing)}`,
    };
  }
  if (error.keyword === 'additionalProperties') {
    const extra = String(params['additionalProperty']);
    return { ...base, code: 'invalid_field', message: `invalid additional property: ${extra}` };
  }
  if (error.keyword === 'maxLength') {
    const message = `must be less than ${Number(params['limit']) + 1} characters`;
    return { ...base, code: 'failed_constraint', message };
  }
  return { ...base, code: 'failed_constraint', message: error.message ?? 'is not valid' };
}

function problemsOf(prefix: string, validate: ValidateFunction, value: unknown): BlockProblem[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => problemOf(prefix, error));
}

const unsupported = (pointer: string, type: string): BlockProblem => ({
  pointer,
  code: 'unsupported_type',
  message: `unsupported type: ${type}`,
});

const ajv = new Ajv({ allErrors: true, discriminator: true, strict: false });
const validators = new Map<string, ValidateFunction>();

/** Compiled at the first use, and once in a process: most workspaces see few kinds of blocks. */
function validatorOf(type: string, schema: Schema): ValidateFunction {
  const known = validators.get(type) ?? ajv.compile(schema);
  validators.set(type, known);
  return known;
}

/** Checks payloads against the schemas of `schema-blocks.ts` and the rules that span blocks. */
export function createBlockChecker(): BlockChecker {
  function one(block: unknown, surface: Surface, pointer: string): BlockProblem[] {
    const type = isJson(block) ? String(block['type']) : '';
    const rule = BLOCK_RULES[type];
    if (!rule?.surfaces.includes(surface)) return [unsupported(pointer, type)];
    const problems = problemsOf(pointer, validatorOf(`block ${type}`, rule.schema), block);
    return rule.holds ? [...problems, ...elements(asJson(block), rule.holds, pointer)] : problems;
  }

  function elements(block: Json, holds: Holds, pointer: string): BlockProblem[] {
    const held = holds.member === 'rows' ? cellElements(block) : block[holds.member];
    const list = Array.isArray(held) ? held : [held];
    return list.filter(isJson).flatMap((element, index) => {
      const type = asText(element['type']) ?? '';
      const place = `${pointer}/${holds.member}${Array.isArray(held) ? `/${index}` : ''}`;
      const schema = holds.allowed.includes(type) ? ELEMENTS[type] : undefined;
      if (!schema) return [unsupported(place, type)];
      return problemsOf(place, validatorOf(`element ${type}`, schema), element);
    });
  }

  const blocks: BlockChecker['blocks'] = (value, surface) => {
    if (!Array.isArray(value)) {
      return [{ pointer: '/blocks', code: 'invalid_type', message: 'must be an array' }];
    }
    const problems = value.flatMap((block, index) => one(block, surface, `/blocks/${index}`));
    const limit = LIMITS.blocks[surface];
    if (value.length > limit) {
      const message = `no more than ${limit} items allowed`;
      problems.push({ pointer: '/blocks', code: 'failed_constraint', message });
    }
    return [...problems, ...crossChecks(objectsOf(value), surface)];
  };

  return {
    blocks,
    view(value) {
      const view = asJson(value);
      const surface = view['type'] === 'home' ? 'home' : 'modal';
      const frame = problemsOf('', validatorOf('view', VIEW_RULE), value);
      const inside = blocks(asList(view['blocks']), surface);
      const hasInput = objectsOf(view['blocks']).some(({ type }) => type === 'input');
      if (surface === 'modal' && hasInput && !view['submit']) {
        const message = 'submit is required when an input block is within blocks array';
        inside.push({ pointer: '/submit', code: 'missing_field', message });
      }
      return [...frame, ...inside];
    },
  };
}

/** Slack's way to put a problem in `response_metadata.messages`. */
export function problemLine({ pointer, message }: BlockProblem, root = ''): string {
  return `[ERROR] ${message} [json-pointer:${root}${pointer}]`;
}
