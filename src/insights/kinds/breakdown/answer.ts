import type { DimensionName } from '../../text/dimension-words'
import type { VisitTotals } from '../../compile/visit-totals'
import type { VisitFigures } from '../../compile/visits'

/** Rows of web analytics, as the kind `breakdown` answers them. */
export interface BreakdownAnswer {
  /** Totals over all visits. Absent if not requested. */
  totals?: VisitTotals
  panels: Panel[]
}

export interface Panel {
  dimension: DimensionName
  label: string
  rows: PanelRow[]
  /** The number of values, including those beyond these rows. */
  valuesInAll: number
}

export interface PanelRow {
  /** Null if unknown. */
  value: string | null
  visitors: number
  /** Present for a dimension of sessions. */
  figures?: VisitFigures
  /** Present for a dimension of events: the number of events. */
  events?: number
  conversions?: number
  conversionRate?: number | null
  compared?: { visitors: number; figures?: VisitFigures; events?: number }
  reading?: PageEngagement
}

/** Reading statistics of a page. */
interface PageEngagement {
  /** The bounce rate of visits that began there. */
  bounceRate: number | null
  /** The seconds of engagement in a visit. */
  seconds: number | null
  /** The scroll depth in percent. */
  scroll: number | null
}
