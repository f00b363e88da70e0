import type { CSSProperties } from 'react'
import type { MapPlace, WorldMapProps } from './chart'
import { round } from './internal/axis'
import { Figure } from './internal/Figure'
import { largestOf, strengthOf } from './internal/heat'
import { HeatLegend } from './internal/HeatLegend'
import { ChartInteraction } from './internal/ChartInteraction'
import type { ChartTable } from './internal/chart-table'
import { countries, world, type CountryShape } from './internal/world-map'
import { amount, percent, type Unit, plural } from '../format'

/** Countries, the stronger the more. For server components: it knows the outlines of the whole world. */
export function WorldMap({ title, description, places, unit, valueLabel, onPick }: WorldMapProps) {
  const known = places.filter(({ value }) => value > 0).toSorted((one, other) => other.value - one.value)
  const largest = largestOf(known.map(({ value }) => value))
  const shown = known.map((place) => ({ ...place, country: countries.get(place.code.toUpperCase()) }))
  const withValue = new Set(known.map(({ code }) => code.toUpperCase()))
  const rest = [...countries.values()].filter(({ code, isDot }) => !isDot && !withValue.has(code))

  return (
    <Figure
      title={title}
      description={description ?? describeLargest(known, unit)}
      readings={tableOf(shown, valueLabel, unit)}
    >
      <div className="chart-fit" style={proportions}>
        <ChartInteraction label={title} rows={shown.length} way="marks" onPick={onPick}>
          <svg
            role="img"
            aria-label={title}
            viewBox={`0 0 ${world.width} ${world.height}`}
            className="pointer-events-none block h-auto w-full"
          >
            <g className="stroke-surface" strokeWidth="1.2" strokeLinejoin="round">
              <path d={rest.map(({ path }) => path).join('')} data-heat={0} />
              {shown.map(({ country, code, value }, row) => (
                <Outline key={code} country={country} row={row} strength={strengthOf(value, largest)} />
              ))}
            </g>
          </svg>
        </ChartInteraction>
      </div>
      <HeatLegend largest={largest} unit={unit} label={valueLabel} />
    </Figure>
  )
}

// React’s type of styles knows no properties of our own
const proportions = { '--proportion': world.width / world.height } as CSSProperties

function Outline({ country, row, strength }: { country?: CountryShape; row: number; strength: number }) {
  if (!country) return null
  return (
    <path
      data-row={row}
      d={country.path}
      data-heat={strength}
      className="pointer-events-auto transition-opacity data-read:stroke-ink"
    />
  )
}

type ShownPlace = MapPlace & { country?: CountryShape }

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

/** A text that is no country code is written as it came. */
function nameOf({ code, label }: MapPlace): string {
  if (label) return label
  return /^[a-z]{2}$/i.test(code) ? (names.of(code.toUpperCase()) ?? code) : code
}

function describeLargest(places: readonly MapPlace[], unit?: Unit): string {
  if (places.length === 0) return 'No countries in this period.'
  const first = places.slice(0, 5).map((place) => `${nameOf(place)} ${amount(place.value, unit)}`)
  return `Most: ${first.join(', ')}; ${plural(places.length, 'country', 'countries')} in all.`
}

function tableOf(places: readonly ShownPlace[], valueLabel: string, unit?: Unit): ChartTable {
  const total = places.reduce((sum, { value }) => sum + value, 0)
  return {
    first: 'Country',
    headings: [{ label: valueLabel }, { label: 'Share' }],
    rows: places.map((place) => ({
      title: nameOf(place),
      x: place.country ? round((place.country.x / world.width) * 100) : 50,
      y: place.country ? round((place.country.y / world.height) * 100) : 100,
      href: place.href,
      cells: [{ text: amount(place.value, unit) }, { text: percent(place.value / total, 1) }],
    })),
  }
}
