import { hasTooManyTables, isTooLong } from '../block-rules.ts';
import { problemLine } from '../block-check.ts';
import type { Place } from '../block-refusals.ts';
import { fillBlocks } from '../fill-blocks.ts';
import { isJson, objectsOf, type Block, type Json } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Workspace } from '../workspace.ts';
import { ApiFailure, type Args } from './call.ts';

/** The content of a message that Slack has accepted. `undefined` members were not sent. */
export interface CheckedContent {
  readonly text: string | undefined;
  readonly blocks: Block[] | undefined;
  /** `{}` removes the metadata of a message. */
  readonly metadata: Json | undefined;
  readonly truncated: boolean;
}

/** Throws `invalid_blocks_format`, `invalid_blocks`, `invalid_attachments`, `msg_blocks_too_long`. */
export function checkedBlocks(
  value: unknown,
  workspace: Workspace,
  place: Place = 'message',
): Block[] {
  if (!Array.isArray(value)) throw new ApiFailure('invalid_blocks_format');
  if (hasTooManyTables(objectsOf(value))) {
    throw new ApiFailure('invalid_attachments', {
      response_metadata: { messages: ['[ERROR] only_one_table_allowed'] },
    });
  }
  const problems = [
    ...workspace.checker.blocks(value, 'message'),
    ...workspace.refusals.problems(place, objectsOf(value)),
  ];
  if (problems.length > 0) {
    throw new ApiFailure('invalid_blocks', {
      errors: problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`),
      response_metadata: { messages: problems.map((problem) => problemLine(problem)) },
    });
  }
  if (isTooLong(objectsOf(value))) throw new ApiFailure('msg_blocks_too_long');
  return fillBlocks(objectsOf(value), workspace.ids);
}

function checkedMetadata(value: unknown): Json {
  if (!isJson(value)) throw new ApiFailure('invalid_metadata_format');
  if (Object.keys(value).length === 0) return {};
  const { event_type: type, event_payload: payload } = value;
  const flat =
    isJson(payload) &&
    Object.values(payload).every(
      (member) => !isJson(member) || !Object.values(member).some(isJson),
    );
  if (typeof type !== 'string' || !flat) throw new ApiFailure('invalid_metadata_schema');
  return value;
}

/** Reads and checks `text`, `blocks` and `metadata`. Throws `no_text` when there is nothing to show. */
export function checkedContent(
  args: Args,
  workspace: Workspace,
  place: Place = 'message',
): CheckedContent {
  const text = args.text('text');
  const blocks = args.has('blocks')
    ? checkedBlocks(args.json('blocks'), workspace, place)
    : undefined;
  const metadata = args.has('metadata') ? checkedMetadata(args.json('metadata')) : undefined;
  if (text === undefined && (blocks === undefined || blocks.length === 0)) {
    throw new ApiFailure('no_text');
  }
  const truncated = (text?.length ?? 0) > LIMITS.message.text;
  return { text: text?.slice(0, LIMITS.message.text), blocks, metadata, truncated };
}
