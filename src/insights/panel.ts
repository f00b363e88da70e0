import type { DimensionName } from './dimension-words'
import type { Totals } from './tell-visits'
import type { Figures } from './visits'

/** Rows of web analytics, as the kind `breakdown` answers them. */
export interface BreakdownAnswer {
  /** Of all the visits, whichever row they are in. Absent where they were not asked for. */
  totals?: Totals
  panels: Panel[]
}

export interface Panel {
  dimension: DimensionName
  label: string
  rows: PanelRow[]
  /** How many values there are beyond these rows. */
  valuesInAll: number
}

export interface PanelRow {
  /** Null: it was not known. */
  value: string | null
  visitors: number
  /** Of a dimension of sessions. */
  figures?: Figures
  /** Of a dimension of events: how many there were. */
  events?: number
  conversions?: number
  conversionRate?: number | null
  compared?: { visitors: number; figures?: Figures; events?: number }
  reading?: Reading
}

/** What is known of how a page was read. */
export interface Reading {
  /** Of the visits that began there. */
  bounceRate: number | null
  /** Seconds for which it was looked at, in a visit. */
  seconds: number | null
  /** Percent of it that was seen. */
  scroll: number | null
}
