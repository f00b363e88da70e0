import { type CSSProperties, useId } from 'react'
import { Anchor } from '../Anchor'
import type { ChartSize, PieChartProps, Slice } from './chart'
import { Drawing } from './internal/Drawing'
import { Figure } from './internal/Figure'
import { colourOf, colourValue, textureAt } from './internal/series-style'
import { EmptyPlot } from './internal/EmptyPlot'
import { ChartInteraction } from './internal/ChartInteraction'
import type { ChartTable } from './internal/chart-table'
import { round } from './internal/axis'
import { Swatch } from './internal/Swatch'
import { amount, percent, shortAmount, type Unit } from '../format'
import { arc } from 'd3-shape'

const diameters: Record<ChartSize, string> = { sm: '8rem', md: '11rem', lg: '14rem' }

/** Parts of a whole, as a ring. For few parts; many are better read in a BarList. */
export function PieChart({ title, slices, unit, limit = 8, centre, size = 'md', ...rest }: PieChartProps) {
  const drawn = ringOf(slices, limit)
  if (drawn.length === 0) return <EmptyPlot size={size} />

  const total = drawn.reduce((sum, { value }) => sum + value, 0)
  const description =
    rest.description ??
    drawn
      .slice(0, 5)
      .map((slice) => `${slice.label}: ${percent(slice.share)}`)
      .join(', ')
  return (
    <Figure title={title} description={description} readings={tableOf(drawn, unit)}>
      <div className="chart-pie flex flex-wrap items-center gap-x-8 gap-y-4">
        <div className="chart-fit chart-ring mx-auto shrink-0" style={ringStyle(diameters[size])}>
          <ChartInteraction label={title} rows={drawn.length} way="marks" onPick={rest.onPick}>
            <Drawing label={title} description={description}>
              <svg viewBox="0 0 100 100">
                {drawn.map((slice) => (
                  <PieSlice key={slice.key} slice={slice} />
                ))}
              </svg>
            </Drawing>
            <p
              aria-hidden
              className="pointer-events-none absolute inset-[22%] grid place-content-center text-center"
            >
              <span className="text-lg font-semibold tabular-nums">{shortAmount(total, unit)}</span>
              {centre && <bdi className="truncate text-2xs text-muted">{centre}</bdi>}
            </p>
          </ChartInteraction>
        </div>
        <Parts slices={drawn} unit={unit} />
      </div>
    </Figure>
  )
}

// React’s type of styles knows no properties of our own
const ringStyle = (diameter: string) => ({ '--proportion': 1, '--ring': diameter }) as CSSProperties

function PieSlice({ slice }: { slice: DrawnSlice }) {
  const { path, order } = slice
  const id = useId()
  return (
    <g data-row={order} className="pointer-events-auto transition-opacity" transform="translate(50 50)">
      <path d={path} fill={colourValue(colourOf(slice, order))} />
      <pattern id={id} width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="scale(0.6)">
        <path
          d={textureAt(order)}
          fill="none"
          className="stroke-surface"
          strokeWidth="1"
          strokeOpacity="0.45"
        />
      </pattern>
      <path d={path} fill={`url(#${id})`} />
    </g>
  )
}

function Parts({ slices, unit }: { slices: readonly DrawnSlice[]; unit?: Unit }) {
  return (
    <ul className="min-w-48 grow basis-0">
      {slices.map((slice) => (
        <li
          key={slice.key}
          className="relative flex min-h-7 items-center gap-2 rounded-sm px-1.5 text-sm hover:bg-hover"
        >
          <Swatch colour={colourOf(slice, slice.order)} place={slice.order} mark="block" />
          <Part label={slice.label} href={slice.href} />
          <span className="ml-auto tabular-nums">{shortAmount(slice.value, unit)}</span>
          <span className="w-11 text-right text-xs text-muted tabular-nums">{percent(slice.share)}</span>
        </li>
      ))}
    </ul>
  )
}

function Part({ label, href }: { label: string; href?: string }) {
  const word = (
    <bdi className="truncate" title={label}>
      {label}
    </bdi>
  )
  if (!href) return word
  return (
    <Anchor
      href={href}
      className="flex min-w-0 outline-none after:absolute after:inset-0 after:rounded-sm focus-visible:after:outline-2 focus-visible:after:outline-focus"
    >
      {word}
    </Anchor>
  )
}

function tableOf(slices: readonly DrawnSlice[], unit?: Unit): ChartTable {
  return {
    first: 'Part',
    headings: [{ label: 'Amount' }, { label: 'Share' }],
    rows: slices.map((slice) => ({
      title: slice.label,
      x: round(slice.x),
      y: round(slice.y),
      href: slice.href,
      cells: [{ text: amount(slice.value, unit) }, { text: percent(slice.share, 1) }],
    })),
  }
}

/** A slice with its share and where it is drawn, in a ring of radius 50 around the middle. */
type DrawnSlice = Slice & { share: number; path: string; x: number; y: number; order: number }

const ring = arc<{ from: number; until: number }>()
  .digits(2)
  .innerRadius(31)
  .outerRadius(49)
  .cornerRadius(0.8)
  .padAngle(0.02)
  .startAngle(({ from }) => from * 2 * Math.PI)
  .endAngle(({ until }) => until * 2 * Math.PI)

export function ringOf(slices: readonly Slice[], limit: number): DrawnSlice[] {
  const shown = withOthers(
    slices.filter(({ value }) => value > 0),
    limit,
  )
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  let from = 0
  return shown.map((slice, order) => {
    const share = slice.value / total
    const part = { from, until: from + share }
    from += share
    const [x, y] = ring.centroid({ ...part })
    return { ...slice, order, share, path: ring(part) ?? '', x: x + 50, y: y + 50 }
  })
}

/** Past the limit, the smallest are taken together. */
function withOthers(slices: readonly Slice[], limit: number): Slice[] {
  const sorted = slices.toSorted((one, other) => other.value - one.value)
  if (sorted.length <= limit) return sorted
  const rest = sorted.slice(limit - 1)
  const value = rest.reduce((sum, slice) => sum + slice.value, 0)
  return [...sorted.slice(0, limit - 1), { key: '', label: `${rest.length} others`, value, colour: 'rest' }]
}
