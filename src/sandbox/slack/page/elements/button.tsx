import { useState } from 'preact/hooks';

import { objectOf, stringOf } from '../json.ts';
import { safeUrl } from '../text/inline.ts';
import { PlainText } from '../text/text.tsx';
import { type ElementProps, useField } from './field.ts';

export function ButtonElement(props: ElementProps) {
  const { element } = props;
  const { press } = useField(props);
  const [busy, setBusy] = useState(false);
  const url = safeUrl(stringOf(element['url']));
  const style = stringOf(element['style']);
  const text = stringOf(objectOf(element['text'])['text']);
  const name = stringOf(element['accessibility_label']);

  const onPress = async (): Promise<void> => {
    if (url !== undefined) window.open(url, '_blank', 'noreferrer');
    setBusy(true);
    const { value } = element;
    await press({ type: 'button', ...(typeof value === 'string' ? { value } : {}) });
    setBusy(false);
  };
  return (
    <button
      type="button"
      class={`button ${style}${busy ? ' busy' : ''}`}
      disabled={busy}
      onClick={() => void onPress()}
      {...(name === '' ? {} : { 'aria-label': name })}
    >
      <PlainText text={text} />
      {url !== undefined && <span aria-hidden="true"> ↗</span>}
    </button>
  );
}

export function ImageElement({ element }: ElementProps) {
  const url = stringOf(element['image_url']);
  return <img class="accessory-image" src={safeUrl(url)} alt={stringOf(element['alt_text'])} />;
}
