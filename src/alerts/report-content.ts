import type { WeeklyFindings } from '#findings/finding'

/** The content of a report: figures with those of the previous period, and top lists. */
export interface ReportFigures {
  /** "16 – 22 Nov 2026" */
  period: string
  /** "the week before" */
  before: string
  /** The sentences that a weekly report begins with. */
  findings?: WeeklyFindings
  figures: ReportFigure[]
  lists: ReportFigureList[]
  /** The parts that could not be answered, with the reason. */
  missing: { title: string; why: string }[]
}

export interface ReportFigure {
  label: string
  value: string
  /** "+12%"; absent if there is nothing to compare with. */
  change?: string
  /** Whether the change is good. */
  tone?: 'good' | 'bad' | 'neither'
}

export interface ReportFigureList {
  title: string
  /** The heading of the number column. */
  counted: string
  rows: { label: string; value: string; change?: string }[]
}
