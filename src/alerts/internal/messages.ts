import type { AlertVerdict } from '../condition'
import type { NoticeKind } from '#experiments/watch/notices'
import type { ReportFigures } from '../report-content'
import type { NotificationReason } from './notification'

/** A notification, before it is rendered as a letter or a webhook body. */
export type Message =
  | AlertMessage
  | ReportMessage
  | RolloutMessage
  | ExperimentMessage
  | ResponseMessage
  | ConfirmationMessage
  | TestLetterMessage

export interface AlertMessage {
  kind: 'alert'
  tidings: NotificationReason | 'test'
  alert: string
  name: string
  project: { slug: string; name: string }
  /** "views of the last complete day fall by more than 30% …" */
  condition: string
  verdict: AlertVerdict
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

/** The end of a guarded rollout that no member made. */
export interface RolloutMessage {
  kind: 'rollout'
  rollout: string
  flag: string
  experiment: string | undefined
  project: { slug: string; name: string }
  state: 'rolled-back' | 'completed'
  why: string
  at: string
}

/** Something that became known of an experiment. */
export interface ExperimentMessage {
  kind: 'experiment'
  notice: NoticeKind
  experiment: { id: string; name: string; flag: string }
  project: { slug: string; name: string }
  sentence: string
  at: string
}

/** A response to a survey. */
export interface ResponseMessage {
  kind: 'response'
  survey: string
  project: { slug: string; name: string }
  isComplete: boolean
  /** Absent for visitors without a lasting id. */
  distinctId: string | undefined
  answers: readonly { question: string; answer: string }[]
  /** A sentence below the answers. */
  note?: string | undefined
  /** The path of the response in the studio. */
  path: string
}

/** A letter of the site that a member sends to themselves before its subscribers get it. */
interface TestLetterMessage {
  kind: 'test-letter'
  subject: string
  text: string
  html: string
}

export interface ConfirmationMessage {
  kind: 'confirmation'
  project: { slug: string; name: string }
  address: string
  askedBy: string
}
