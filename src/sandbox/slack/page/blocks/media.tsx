import { type Json, objectOf, stringOf } from '../json.ts';
import { safeUrl } from '../text/inline.ts';
import { TextObject } from '../text/text.tsx';

/** Same-origin paths are the stand-in's own files; other addresses must be harmless. */
const sourceOf = (url: string): string | undefined =>
  url.startsWith('/') && !url.startsWith('//') ? url : safeUrl(url);

export function ImageBlock({ block }: { block: Json }) {
  const url = stringOf(block['image_url']) || stringOf(objectOf(block['slack_file'])['url']);
  const title = objectOf(block['title']);
  return (
    <figure class="block-image">
      {typeof title['text'] === 'string' && (
        <figcaption>
          <TextObject text={title} />
        </figcaption>
      )}
      <img src={sourceOf(url)} alt={stringOf(block['alt_text'])} />
    </figure>
  );
}
