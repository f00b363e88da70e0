import { clsx } from 'clsx'
import { Anchor } from '#ui/Anchor'
import { NumberLink } from '#ui/chart/NumberLink'
import { number, percent } from '#ui/format'
import { ScrollBox } from '#ui/table/Table'

interface HeatCell {
  count: number
  share: number
  /** Narrows the results to it. */
  href?: string
  /** The people who gave the answer. */
  peopleHref?: string | undefined
  current?: boolean
}

interface MatrixHeatProps {
  /** Names the table for a screen reader. */
  caption: string
  /** The head of the first column. */
  head: string
  columns: readonly { key: string; label: string }[]
  rows: readonly { key: string; label: string; cells: readonly HeatCell[] }[]
}

/** Counts in rows and columns: the larger the share, the stronger the colour. */
export function MatrixHeat({ caption, head, columns, rows }: MatrixHeatProps) {
  const isReachable = !rows.some(({ cells }) => cells.some(({ href }) => href !== undefined))
  return (
    <ScrollBox caption={caption} isReachable={isReachable}>
      <table className="w-full border-separate border-spacing-0.5 text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="py-1.5 pr-3 text-left text-xs font-medium text-muted">
              {head}
            </th>
            {columns.map(({ key, label }) => (
              <th
                key={key}
                scope="col"
                className="min-w-20 px-2 py-1.5 text-center text-xs font-medium text-muted"
              >
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells }) => (
            <tr key={key}>
              <th scope="row" className="min-w-28 py-1.5 pr-3 text-left font-normal">
                <bdi>{label}</bdi>
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]?.key} className="p-0">
                  <HeatCellView cell={cell} label={`${label}, ${columns[index]?.label ?? ''}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** The strongest colour, in percent; text stays readable on it. */
const strongest = 40

function HeatCellView({ cell, label }: { cell: HeatCell; label: string }) {
  const { count, share, href, peopleHref, current } = cell
  const look = 'flex h-9 items-center justify-center gap-1.5 rounded-sm px-2 tabular-nums'
  const style = {
    background: `color-mix(in oklab, var(--color-chart-1) ${Math.round(share * strongest)}%, var(--color-sunken))`,
  }
  if (href === undefined)
    return (
      <span className={look} style={style}>
        {percent(share)} <span className="text-xs">{number(count)}</span>
      </span>
    )
  return (
    <span
      className={clsx(
        look,
        'relative hover:outline-2 hover:outline-accent-line',
        current && 'outline-2 outline-accent',
      )}
      style={style}
    >
      <Anchor
        href={href}
        aria-current={current ? 'true' : undefined}
        className="after:absolute after:inset-0"
      >
        <span className="sr-only">{label}: </span>
        {percent(share)}
      </Anchor>
      <span className="text-xs">
        {peopleHref && count > 0 ? (
          <NumberLink href={peopleHref} label={`${label}: ${number(count)}`}>
            {number(count)}
          </NumberLink>
        ) : (
          number(count)
        )}
      </span>
    </span>
  )
}
