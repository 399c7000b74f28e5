import { PassThrough, pipeline, Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { single } from './answer.ts';
import type { Answer } from './answer.ts';
import { PlatformError } from './errors.ts';
import { toPlatformError } from './failure.ts';

/** Types that say nothing. */
const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream']);

/**
 * The body of an answer as a stream that ends with a PlatformError where it breaks off, is larger
 * than `maxBytes`. What says of itself to be something else than `accept` is refused.
 * @param release called once, when the stream has ended in whatever way
 * @throws PlatformError `malformed`
 */
export function passOn(
  answer: Answer,
  { accept, maxBytes, release }: { accept: string; maxBytes: number; release: () => void },
): Readable {
  const said = single(answer.headers['content-type']) ?? '';
  const type = said.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== accept && !UNTYPED.has(type)) {
    // Destroying it tells of itself as an error, which nobody else would hear.
    answer.body.on('error', () => undefined).destroy();
    throw new PlatformError('malformed', `the answer is not of the type ${accept}`, {
      status: answer.statusCode,
    });
  }
  const out = new PassThrough({ destroy: (error, done) => done(error && toPlatformError(error)) });
  // An error on any side destroys the others, so no socket is left.
  // It was not asked for, but some servers pack whatever they send.
  const isPacked = /^(x-)?gzip$/i.test(single(answer.headers['content-encoding']) ?? '');
  const body = isPacked ? pipeline(answer.body, createGunzip(), () => undefined) : answer.body;
  return pipeline(body, cappedAt(maxBytes), out, release);
}

function cappedAt(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size <= maxBytes) done(null, chunk);
      else done(new PlatformError('too-large', `the answer is larger than ${maxBytes} bytes`));
    },
  });
}
