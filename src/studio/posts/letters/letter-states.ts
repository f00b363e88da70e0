import type { LetterState } from '#letters/letter'

export const letterStateLabels: Readonly<Record<LetterState, string>> = {
  scheduled: 'Scheduled',
  sending: 'Sending',
  sent: 'Sent',
  cancelled: 'Cancelled',
}
