import { type Json, objectOf, stringOf } from '../json.ts';
import { safeUrl } from '../text/inline.ts';
import { PlainText, TextObject } from '../text/text.tsx';

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

/** Slack plays the video in place; here it is a link with its preview. */
export function VideoBlock({ block }: { block: Json }) {
  const url = safeUrl(stringOf(block['title_url'])) ?? safeUrl(stringOf(block['video_url']));
  const title = <PlainText text={stringOf(objectOf(block['title'])['text'])} />;
  const preview = sourceOf(stringOf(block['thumbnail_url']));
  return (
    <div class="block-video">
      {url === undefined ? (
        title
      ) : (
        <a class="text-link" href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      )}
      {typeof block['description'] === 'object' && (
        <div class="block-text">
          <TextObject text={objectOf(block['description'])} />
        </div>
      )}
      {preview !== undefined && <img src={preview} alt={stringOf(block['alt_text'])} />}
    </div>
  );
}

export function FileBlock({ block }: { block: Json }) {
  return <div class="block-file">File {stringOf(block['external_id'])}</div>;
}
