import type { AlertVerdict } from '../../condition'
import type { NotificationReason } from '../../internal/notification'

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
