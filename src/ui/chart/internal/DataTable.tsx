import { Swatch } from './Swatch'
import type { ChartTableCell, ChartTableHeading, ChartTableRow, ChartTable } from './chart-table'

/**
 * A chart in words and numbers, in as few characters as can be: how cells look is in charts.css. What follows the pointer reads its lines here, so it is the one
 * place they are said.
 */
export function DataTable({ caption, first, headings, rows }: ChartTable & { caption: string }) {
  return (
    <div className="chart-table">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {headings.map((heading, index) => (
              <Head key={index} {...heading} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} row={row} headings={headings} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ label, ...heading }: ChartTableHeading) {
  return (
    <th scope="col" {...marks(heading)}>
      <span className="inline-flex items-center gap-1.5">
        {heading.colour && (
          <Swatch colour={heading.colour} isDashed={heading.isCompared} place={heading.series} />
        )}
        <bdi className="chart-word">{label}</bdi>
      </span>
    </th>
  )
}

const marks = ({ seriesKey, colour, series, isCompared }: Omit<ChartTableHeading, 'label'>) => ({
  'data-key': seriesKey,
  'data-colour': colour,
  'data-series': series,
  'data-compared': isCompared || undefined,
})

function Row({ row, headings }: { row: ChartTableRow; headings: ChartTableHeading[] }) {
  return (
    <tr data-x={row.x} data-y={row.y} data-href={row.href}>
      <th scope="row">
        <bdi className="chart-word">{row.title}</bdi>
      </th>
      {row.cells.map((cell, index) => (
        <Value key={index} cell={cell} series={headings[index]?.series} />
      ))}
    </tr>
  )
}

function Value({ cell: { text, y, href }, series }: { cell: ChartTableCell; series?: number }) {
  return (
    <td data-y={y} data-href={href} data-series={series}>
      {text}
    </td>
  )
}
