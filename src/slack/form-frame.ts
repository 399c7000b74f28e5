import type { KnownBlock } from '@slack/types';
import { LIMITS } from './kit/index.ts';
import type { ModalFrame } from './modals.ts';
import type { Answer, FormContent, FormRoute } from './routes.ts';

/** What a form carries through Slack: what it is about, and where its answer goes, by a name of the store. */
interface Metadata {
  state: string;
  reply: string | undefined;
}

/** A form as a modal. @throws when its state is too long */
export function frameOf(
  form: FormRoute,
  { state, ...content }: FormContent,
  reply: string | undefined,
): ModalFrame {
  const metadata = JSON.stringify({ state, reply });
  if (metadata.length > LIMITS.privateMetadata) throw new Error('The state of a form is too long');
  return { ...content, callbackId: form.callbackId, metadata };
}

/** Reads anything: what is not there is empty. */
export function readMetadata(text: string): Metadata {
  try {
    const { state, reply } = JSON.parse(text) as Record<string, unknown>;
    return {
      state: typeof state === 'string' ? state : '',
      reply: typeof reply === 'string' ? reply : undefined,
    };
  } catch {
    return { state: '', reply: undefined };
  }
}

const NOTE = 'form.note';

/** The blocks with a sentence above them; what was filled in stays. */
export function noted({ blocks }: Answer, below: readonly KnownBlock[]): KnownBlock[] {
  const note = blocks.map((block, index) => ({ ...block, block_id: `${NOTE}:${index}` }));
  return [...note, ...withoutNote(below)];
}

export function withoutNote(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.filter(({ block_id: id }) => id?.startsWith(`${NOTE}:`) !== true);
}
