import { clsx } from 'clsx'
import type { ChartLegendEntry, ChartLegendProps } from '../chart'
import { Swatch } from './Swatch'

/** The meaning of the colours. Entries of series are switches, which charts.css obeys: no script is needed. */
export function ChartLegend({ entries }: ChartLegendProps) {
  return (
    <ul className="chart-legend mb-2 flex flex-wrap gap-x-1 gap-y-0.5 text-xs">
      {entries.map((entry, index) => (
        <li key={index} className="min-w-0">
          {entry.series !== undefined && entry.series < maxSwitchableSeries ? (
            <Switch {...entry} series={entry.series} />
          ) : (
            <span className={legendClass}>
              <Sample {...entry} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const legendClass = 'flex min-h-6 max-w-56 items-center gap-1.5 rounded-sm px-1.5 text-muted'

function Switch({ series, ...entry }: ChartLegendEntry & { series: number }) {
  return (
    <label
      className={clsx(
        legendClass,
        'cursor-pointer hover:bg-hover hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus',
        'not-has-checked:line-through not-has-checked:opacity-60',
      )}
    >
      <input type="checkbox" className="series-switch sr-only" value={series} defaultChecked />
      <Sample series={series} {...entry} />
    </label>
  )
}

function Sample({ label, colour, series, mark = 'line' }: ChartLegendEntry) {
  return (
    <>
      <Swatch
        colour={colour}
        place={series}
        isDashed={mark === 'dashed'}
        mark={mark === 'block' ? 'block' : 'line'}
      />
      <bdi className="truncate" title={label}>
        {label}
      </bdi>
    </>
  )
}

/** The most series that a legend can switch off. Each needs a rule in charts.css, because CSS cannot count. */
export const maxSwitchableSeries = 24
