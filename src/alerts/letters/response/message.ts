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
