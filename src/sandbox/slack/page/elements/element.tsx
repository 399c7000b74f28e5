import { ImageElement, ButtonElement } from './button.tsx';
import { Checkboxes, RadioButtons } from './choice.tsx';
import type { ElementProps } from './field.ts';
import { FileInput } from './file-input.tsx';
import { Overflow } from './overflow.tsx';
import { DateTimePicker, DatePicker, TimePicker } from './picker.tsx';
import { ExternalSelect } from './external-select.tsx';
import { PeopleSelect, StaticSelect } from './select.tsx';
import { RichTextInput, TextInput } from './text-input.tsx';
import { stringOf } from '../json.ts';

/** One Block Kit element; an unknown type says its name. */
export function Element(props: ElementProps) {
  const type = stringOf(props.element['type']);
  switch (type) {
    case 'button':
    case 'workflow_button':
      return <ButtonElement {...props} />;
    case 'image':
      return <ImageElement {...props} />;
    case 'overflow':
      return <Overflow {...props} />;
    case 'checkboxes':
      return <Checkboxes {...props} />;
    case 'radio_buttons':
      return <RadioButtons {...props} />;
    case 'datepicker':
      return <DatePicker {...props} />;
    case 'timepicker':
      return <TimePicker {...props} />;
    case 'datetimepicker':
      return <DateTimePicker {...props} />;
    case 'file_input':
      return <FileInput {...props} />;
    case 'rich_text_input':
      return <RichTextInput {...props} />;
    case 'external_select':
    case 'multi_external_select':
      return <ExternalSelect {...props} />;
    case 'static_select':
    case 'multi_static_select':
      return <StaticSelect {...props} />;
    default:
      return <OtherElement {...props} type={type} />;
  }
}

function OtherElement({ type, ...props }: ElementProps & { readonly type: string }) {
  if (/^(?:multi_)?(?:users|conversations|channels)_select$/.test(type)) {
    return <PeopleSelect {...props} />;
  }
  if (/^(?:plain_text|number|email_text|url_text)_input$/.test(type)) {
    return <TextInput {...props} />;
  }
  return <span class="block-unknown">This element cannot be shown: {type}</span>;
}
