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

export function TimePicker(props: ElementProps) {
  const { state, change } = useField(props);
  return (
    <input
      {...controlAttributes(props)}
      class="text-input picker"
      type="time"
      value={state.selected_time ?? ''}
      onChange={(event) =>
        change({ type: 'timepicker', selected_time: orNull(event.currentTarget.value) })
      }
    />
  );
}

/** Slack hands over seconds; the person picks in their own time zone. */
export function DateTimePicker(props: ElementProps) {
  const { state, change } = useField(props);
  const enter = (value: string): void => {
    const seconds = value === '' ? null : Math.floor(new Date(value).getTime() / 1000);
    change({ type: 'datetimepicker', selected_date_time: seconds });
  };
  return (
    <input
      {...controlAttributes(props)}
      class="text-input picker"
      type="datetime-local"
      value={localTime(state.selected_date_time ?? null)}
      onChange={(event) => enter(event.currentTarget.value)}
    />
  );
}

function localTime(seconds: number | null): string {
  if (seconds === null) return '';
  const offset = new Date(seconds * 1000).getTimezoneOffset() * 60;
  return new Date((seconds - offset) * 1000).toISOString().slice(0, 16);
}
