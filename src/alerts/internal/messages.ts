import type { AlertMessage } from '../letters/alert/message'
import type { ConfirmationMessage } from '../letters/confirmation/message'
import type { ExperimentMessage } from '../letters/experiment/message'
import type { ReportMessage } from '../letters/report/message'
import type { ResponseMessage } from '../letters/response/message'
import type { RolloutMessage } from '../letters/rollout/message'

/** A notification, before it is rendered as a letter or a webhook body. */
export type Message =
  | AlertMessage
  | ReportMessage
  | RolloutMessage
  | ExperimentMessage
  | ResponseMessage
  | ConfirmationMessage
  | TestLetterMessage

/** A letter of the site that a member sends to themselves before its subscribers get it. */
interface TestLetterMessage {
  kind: 'test-letter'
  subject: string
  text: string
  html: string
}
