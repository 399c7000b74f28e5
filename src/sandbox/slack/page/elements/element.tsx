import { ImageElement, ButtonElement } from './button.tsx';
import { Checkboxes } from './choice.tsx';
import type { ElementProps } from './field.ts';
import { FileInput } from './file-input.tsx';
import { Overflow } from './overflow.tsx';
import { DatePicker } from './picker.tsx';
import { StaticSelect } from './select.tsx';
import { TextInput } from './text-input.tsx';
import { stringOf } from '../json.ts';

/** One Block Kit element of those that Purser sends; any other says its name. */
export function Element(props: ElementProps) {
  const type = stringOf(props.element['type']);
  switch (type) {
    case 'button':
      return <ButtonElement {...props} />;
    case 'image':
      return <ImageElement {...props} />;
    case 'overflow':
      return <Overflow {...props} />;
    case 'checkboxes':
      return <Checkboxes {...props} />;
    case 'datepicker':
      return <DatePicker {...props} />;
    case 'file_input':
      return <FileInput {...props} />;
    case 'static_select':
    case 'multi_static_select':
      return <StaticSelect {...props} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
      return <TextInput {...props} />;
    default:
      return <span class="block-unknown">This element cannot be shown: {type}</span>;
  }
}
