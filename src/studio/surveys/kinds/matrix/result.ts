import type { Choice } from '#surveys/question'
import { type KindResult, nameIn } from '../kind-result'

export const matrix: KindResult<'matrix'> = {
  /** Rows and columns are first as they are now, then those that were answered and are gone. */
  draw({ rows, columns }, { matrix: results }) {
    const { rows: knownRows = [], columns: knownColumns = [], counts = [] } = results ?? {}
    const cell = (row: string, column: string) =>
      counts[knownRows.findIndex(({ id }) => id === row)]?.[
        knownColumns.findIndex(({ id }) => id === column)
      ] ?? 0
    const shownRows = withGone(rows, knownRows, 'row', (id) =>
      knownColumns.some((one) => cell(id, one.id) > 0),
    )
    const shownColumns = withGone(columns, knownColumns, 'column', (id) =>
      knownRows.some((one) => cell(one.id, id) > 0),
    )
    return {
      shape: 'matrix',
      columns: shownColumns,
      rows: shownRows.map(({ id, text }) => ({
        key: id,
        label: text,
        cells: shownColumns.map((column) => cell(id, column.id)),
      })),
    }
  },
  valueInWords: (value, { rows, columns }) =>
    typeof value === 'object' && value
      ? `${nameIn(rows, value.row)}: ${nameIn(columns, value.column)}`
      : undefined,
  /** A matrix is sent by the ids of its rows and columns. */
  partInWords: (row, column, { rows, columns }) => `${nameIn(rows, row)}: ${nameIn(columns, column)}`,
}

function withGone(
  current: readonly Choice[],
  known: readonly Choice[],
  what: 'row' | 'column',
  isAnswered: (id: string) => boolean,
): Choice[] {
  const ids = new Set(current.map(({ id }) => id))
  const gone = known.filter(({ id }) => !ids.has(id) && isAnswered(id))
  return [
    ...current.map(({ id, text }) => ({ id, text })),
    ...gone.map(({ id, text }) => ({ id, text: `Removed ${what} (${text})` })),
  ]
}
