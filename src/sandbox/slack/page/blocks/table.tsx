import { type Json, objectOf, objectsOf, stringOf } from '../json.ts';
import { Cell } from './cell.tsx';

/** A `table` block: the first row is the header, `column_settings` align and wrap. */
export function TableBlock({ block }: { block: Json }) {
  const rows = Array.isArray(block['rows']) ? block['rows'].map(objectsOf) : [];
  const [header = [], ...body] = rows;
  const settings: readonly unknown[] = Array.isArray(block['column_settings'])
    ? block['column_settings']
    : [];
  const style = (column: number) => {
    const setting = objectOf(settings[column]);
    return {
      textAlign: stringOf(setting['align']) || 'left',
      whiteSpace: setting['is_wrapped'] === true ? 'normal' : 'nowrap',
    };
  };
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table class="block-table">
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th key={column} scope="col" style={style(column)}>
                <Cell cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} style={style(column)}>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
