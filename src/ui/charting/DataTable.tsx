import { Swatch } from './Swatch'
import type { Cell, Heading, Reading, Readings } from './reading'

/**
 * A chart in words and numbers, in as few characters as can be: how cells look is in charts.css. What follows the pointer reads its lines here, so it is the one
 * place they are said.
 */
export function DataTable({ caption, first, headings, rows }: Readings & { caption: string }) {
  return (
    <div className="chart-table">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {headings.map((heading, place) => (
              <Head key={place} {...heading} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <Row key={place} row={row} headings={headings} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ label, ...heading }: Heading) {
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

const marks = ({ seriesKey, colour, series, isCompared }: Omit<Heading, 'label'>) => ({
  'data-key': seriesKey,
  'data-colour': colour,
  'data-series': series,
  'data-compared': isCompared || undefined,
})

function Row({ row, headings }: { row: Reading; headings: Heading[] }) {
  return (
    <tr data-x={row.x} data-y={row.y} data-href={row.href}>
      <th scope="row">
        <bdi className="chart-word">{row.title}</bdi>
      </th>
      {row.cells.map((cell, place) => (
        <Value key={place} cell={cell} series={headings[place]?.series} />
      ))}
    </tr>
  )
}

function Value({ cell: { text, y, href }, series }: { cell: Cell; series?: number }) {
  return (
    <td data-y={y} data-href={href} data-series={series}>
      {text}
    </td>
  )
}
