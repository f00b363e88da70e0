/** A sentence, with the names of things in it marked, so that a page and a letter can both draw it. */
export type FindingText = readonly (string | { name: string })[]

/** A sentence about a project that is worth reading, with its reason and what to do about it. */
export interface Finding {
  /** The rule that found it. */
  rule: string
  urgency: FindingUrgency
  headline: FindingText
  /** The numbers behind it, and what they are held against. */
  reason: string
  action: FindingAction
}

/** `harm` goes on now, `decide` waits for a decision, `tidy` can wait. */
export type FindingUrgency = 'harm' | 'decide' | 'tidy'

/** The one thing to do: a link to a page of the project. */
interface FindingAction {
  label: string
  /** The address below that of the project: `experiments/x1`. */
  path: string
}

/** The most important findings of a week, or why there are none. */
export interface WeeklyFindings {
  /** "16 – 22 Nov 2026" */
  week: string
  /** The most important first. */
  findings: Finding[]
  /** The sentence in place of findings, where there are none: nothing unusual, or too early to say. */
  none: string
  /** The numbers that were compared with usual weeks, or what is needed before they can be. */
  compared: string
}
