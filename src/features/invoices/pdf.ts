import type { Readable } from 'node:stream';
import { Refusal } from '../../lib/refusal.ts';

/** Where a PDF names itself, in bytes from its beginning. */
const HEAD_BYTES = 1_024;

/**
 * The chunks of a PDF, once it has proven to be one: anything else would arrive as a broken file.
 * The stream is closed when the chunks are at an end or are not wanted any more.
 * @throws Refusal when it is none; the stream's own errors
 */
export async function pdfChunks(source: Readable): Promise<AsyncIterable<Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const head: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head.push(value);
    size += value.length;
  }
  if (Buffer.concat(head).subarray(0, HEAD_BYTES).includes('%PDF-')) return rejoin(head, chunks);
  source.destroy();
  throw new Refusal(
    'The platform sent something that is no PDF, so there is no file: please try again, and tell whoever runs Purser if it stays so.',
  );
}

async function* rejoin(head: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* head;
  yield* { [Symbol.asyncIterator]: () => rest };
}
