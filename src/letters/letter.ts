import type { PostLetterContent } from './internal/letter-content'

/** `held` deliveries wait for the winner of a trial of subject lines. */
export const deliveryStates = [
  'waiting',
  'held',
  'sending',
  'delivered',
  'bounced',
  'failed',
  'uncertain',
  'skipped',
  'cancelled',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One letter to one subscriber. */
export interface LetterDelivery {
  id: string
  letterId: string
  projectId: number
  subscriberId: string
  /** The key of the subject line. */
  variant: string
  state: DeliveryState
  dueAt: Date
  attempts: number
  outcome: string | undefined
}

export type LetterState = 'scheduled' | 'sending' | 'sent' | 'cancelled'

/** A trial of subject lines: a share of the recipients gets them, the rest gets the winner. */
export interface SubjectTrial {
  share: number
  hours: number
  /** Set when the trial began. */
  endsAt: Date | undefined
  winner: string | undefined
  /** The probability of each subject line to have the largest share of clicks, when the winner was chosen. */
  chances: Readonly<Record<string, number>> | undefined
}

/** A post that is sent to the subscribers of a list. */
export interface Letter {
  id: string
  projectId: number
  postId: string
  list: string
  cohort: string | undefined
  state: LetterState
  content: PostLetterContent
  trial: SubjectTrial | undefined
  /** Why it was not sent. */
  problem: string | undefined
  createdBy: string
  createdAt: Date
  scheduledAt: Date
  startedAt: Date | undefined
  finishedAt: Date | undefined
}

/** The outcomes of a letter's deliveries with one subject line. */
export interface LetterFigures {
  variant: string
  recipients: number
  waiting: number
  delivered: number
  clicked: number
  unsubscribed: number
  bounced: number
  failed: number
  uncertain: number
}

export const noFigures = (variant: string): LetterFigures => ({
  variant,
  recipients: 0,
  waiting: 0,
  delivered: 0,
  clicked: 0,
  unsubscribed: 0,
  bounced: 0,
  failed: 0,
  uncertain: 0,
})
