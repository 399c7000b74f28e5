import { crc32 } from 'node:zlib';

const SIGNATURE_LENGTH = 8;

/** A picture of an animation: a PNG, and how long it is shown. */
export interface Frame {
  png: Buffer;
  ms: number;
}

/**
 * An animated PNG that repeats without end. It needs no codec: the image data of the frames is taken over as it is.
 * @param frames of the same size and colour type, as a browser makes them; at least one
 */
export function animate(frames: readonly Frame[]): Buffer {
  const read = frames.map(({ png, ms }) => ({ chunks: [...chunksOf(png)], ms }));
  const [first] = read;
  const header = first?.chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) throw new Error('an animation needs a frame that is a PNG');
  let sequence = 0;
  const parts = read.flatMap(({ chunks, ms }, at) => {
    const images = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    header.copy(control, 4, 0, 8); // width and height
    control.writeUInt16BE(ms, 20);
    control.writeUInt16BE(1_000, 22);
    const shown =
      at === 0
        ? images.map((data) => chunk('IDAT', data))
        : images.map((data) => chunk('fdAT', Buffer.concat([number(sequence++), data])));
    return [chunk('fcTL', control), ...shown];
  });
  return Buffer.concat([
    (frames[0] as Frame).png.subarray(0, SIGNATURE_LENGTH),
    chunk('IHDR', header),
    chunk('acTL', Buffer.concat([number(frames.length), number(0)])),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = SIGNATURE_LENGTH; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    yield { type, data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([number(data.length), body, number(crc32(body))]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
