import type { Sql } from '../engine/sql'
import type { WrittenAnswer } from '../engine/written'
import type { Filter } from '../filters/filter'
import type { Outcome } from '../projects/problems'
import type { Calendar, Period } from './period'
import type { Traffic } from './reach'

/**
 * Within what a question is answered: one project's data, as of now. Everything that is read comes through `Events`,
 * which puts the project's number into the statement; a kind never writes it.
 */
export interface Scope {
  projectId: number
  calendar: Calendar
  currency: string
  /** Whether persons were merged whose events still say who they were before. */
  hasMerged: boolean
  /** Who is in a cohort, as a statement that selects their `person_id`s. Undefined where there is no such cohort. */
  cohort: (id: string) => Sql | undefined
  /** Who works on the product, where the question leaves them out. */
  testAccounts: Filter | undefined
  /** When the first event of the project was; asked only when a period begins there. */
  firstEventAt: () => Promise<Date | undefined>
  run: <Row>(statement: Sql) => Promise<Row[]>
  /** Asks what somebody wrote in SQL, once it was found harmless. Absent where that is not offered. */
  written?: (text: string, period: Period | undefined) => Promise<Outcome<{ answer: WrittenAnswer }>>
}

/** What every question says about which events it is about. */
export interface Asked {
  period: string
  filter?: Filter | undefined
  traffic: Traffic
  withoutTestAccounts: boolean
}
