import type { ReactNode } from 'react'
import { ScrollBox } from '#ui/table/Table'
import { stacked } from './stacked-row'

interface IntervalColumn {
  name: string
  className: string
  /** Stands under the name. */
  axis?: ReactNode
}

/** A table with a drawn interval in each row. On a phone a row is stacked under its name. */
export const IntervalTable = ({
  title,
  columns,
  children,
}: {
  title: string
  columns: readonly (IntervalColumn | false)[]
  children: ReactNode
}) => (
  <ScrollBox caption={`${title}: intervals`} isReachable>
    <table className={stacked.table}>
      <caption className="sr-only">{title}</caption>
      <thead className={stacked.head}>
        <tr className="border-b border-line text-xs text-muted *:px-3 *:py-2 *:text-left *:font-medium">
          {columns.map(
            (column) =>
              column && (
                <th key={column.name} scope="col" className={column.className}>
                  {column.name}
                  {column.axis}
                </th>
              ),
          )}
        </tr>
      </thead>
      {children}
    </table>
  </ScrollBox>
)
