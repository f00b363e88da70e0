import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import type { Panel } from '../answer'
import { figuresOf, noVisits, share, type VisitCounts, type VisitRow } from '#insights/compile/visits'

export interface EventRow {
  value: string
  visitors: number
  times: number
  converted: number
  values_in_all: number
}

const valueOf = (value: string): string | null => (value === '' ? null : value)

export function sessionPanel(
  dimension: DimensionName,
  rows: readonly VisitRow[],
  compared: readonly VisitRow[] | undefined,
): Panel {
  const before = compared && new Map(compared.map((row) => [row.id, row]))
  return {
    dimension,
    label: wordsOf(dimension).label,
    valuesInAll: rows[0]?.values_in_all ?? 0,
    rows: rows.map((row) => ({
      value: valueOf(row.value),
      visitors: row.visitors,
      figures: figuresOf(row),
      ...(before && { compared: figuresBefore(before.get(row.id)) }),
    })),
  }
}

function figuresBefore(row: VisitCounts = noVisits) {
  return { visitors: row.visitors, figures: figuresOf(row) }
}

export function eventPanel(
  dimension: DimensionName,
  rows: readonly EventRow[],
  compared: readonly EventRow[] | undefined,
): Panel {
  const before = compared && new Map(compared.map((row) => [row.value, row]))
  return {
    dimension,
    label: wordsOf(dimension).label,
    valuesInAll: rows[0]?.values_in_all ?? 0,
    rows: rows.map(({ value, visitors, times, converted }) => ({
      value: valueOf(value),
      visitors,
      events: times,
      conversions: converted,
      conversionRate: share(converted, visitors),
      ...(before && { compared: countsBefore(before.get(value)) }),
    })),
  }
}

const countsBefore = (row: EventRow | undefined) => ({
  visitors: row?.visitors ?? 0,
  events: row?.times ?? 0,
})
