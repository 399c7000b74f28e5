import { controlAttributes, type ElementProps, useField } from './field.ts';

const orNull = (value: string): string | null => (value === '' ? null : value);

export function DatePicker(props: ElementProps) {
  const { state, change } = useField(props);
  return (
    <input
      {...controlAttributes(props)}
      class="text-input picker"
      type="date"
      value={state.selected_date ?? ''}
      onChange={(event) =>
        change({ type: 'datepicker', selected_date: orNull(event.currentTarget.value) })
      }
    />
  );
}
