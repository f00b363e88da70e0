/** What a report says: figures beside those of the period before, and lists of what was most. */
export interface ReportFigures {
  /** "16 – 22 Nov 2026" */
  period: string
  /** "the week before" */
  before: string
  figures: Figure[]
  lists: FigureList[]
  /** What could not be answered, and why. */
  missing: { title: string; why: string }[]
}

export interface Figure {
  label: string
  value: string
  /** "+12%"; absent where there is nothing to compare with. */
  change?: string
  /** Which way it went, and whether that is good. */
  tone?: 'good' | 'bad' | 'neither'
}

export interface FigureList {
  title: string
  /** The head of the number. */
  counted: string
  rows: { label: string; value: string; change?: string }[]
}
