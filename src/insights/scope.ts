import type { Sql } from '#engine/sql'
import type { UserQueryResult } from '#engine/user-query'
import type { Filter } from '#filters/filter'
import type { Outcome } from '#projects/problems'
import type { BounceRule } from './bounce-rule'
import type { DailyTotal } from './compile/daily-totals'
import type { Calendar, Period } from './calendar/period'
import type { PageGroups } from './text/page-groups'
import type { Traffic } from './compile/event-range'

/**
 * The context of a query: one project's data, as of now. Kinds read through `Events`, which puts the project's
 * number into the statement; a kind never writes it.
 */
export interface QueryScope {
  projectId: number
  calendar: Calendar
  currency: string
  /** Whether events of merged persons still have the earlier person id. */
  hasMerged: boolean
  /** Returns a statement that selects the `person_id`s of a cohort; undefined if it does not exist. */
  cohort: (id: string) => Sql | undefined
  /** The filter of test accounts, if the query leaves them out. */
  testAccounts: Filter | undefined
  /** The rule by which a visit of one view is a bounce. */
  bounceRule: BounceRule
  /** The groups of pages by which web analytics names paths. */
  pageGroups: PageGroups
  /** Submissions that were taken out of surveys' results; queries about events of surveys leave them out. */
  removedSubmissions?: readonly string[]
  /** Whether persons are counted approximately in this answer. */
  isApproximate?: boolean
  /** Whether all events of the project are of the last 24 hours. Lists and answers of such a project are not cached. */
  isFirstDay: () => Promise<boolean>
  /** Returns the time of the project's first event; called only for the period `all`. */
  firstEventAt: () => Promise<Date | undefined>
  /** Returns the totals of days whose events were deleted after the project's retention. */
  dailyTotals?: (period: Period) => Promise<DailyTotal[]>
  run: <Row>(statement: Sql) => Promise<Row[]>
  /** Runs user-written SQL after checking it. Absent if SQL is not offered. */
  written?: (text: string, period: Period | undefined) => Promise<Outcome<{ answer: UserQueryResult }>>
}

/** The fields by which every query selects events. */
export interface BaseQuery {
  period: string
  filter?: Filter | undefined
  traffic: Traffic
  withoutTestAccounts: boolean
  /** Whether persons are counted one by one, however many there are. */
  exact?: boolean | undefined
}
