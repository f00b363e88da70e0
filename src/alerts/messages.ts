import type { Verdict } from './condition'
import type { ReportFigures } from './figures'
import type { Tidings } from './telling'

/** What is to be said, before it is a letter or the body of a webhook. */
export type Message = AlertMessage | ReportMessage | ConfirmationMessage

export interface AlertMessage {
  kind: 'alert'
  tidings: Tidings | 'test'
  alert: string
  name: string
  project: { slug: string; name: string }
  /** "views of the last complete day fall by more than 30% …" */
  condition: string
  verdict: Verdict
  /** The numbers in words: "120, against 340". */
  numbers: string
  at: string
}

export interface ReportMessage {
  kind: 'report'
  report: string
  name: string
  project: { slug: string; name: string; timeZone: string }
  figures: ReportFigures
}

export interface ConfirmationMessage {
  kind: 'confirmation'
  project: { slug: string; name: string }
  address: string
  askedBy: string
}
