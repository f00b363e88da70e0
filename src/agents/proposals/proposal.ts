/** The states of a proposal in the order in which they are listed. */
export const proposalStates = ['open', 'approved', 'refused', 'withdrawn', 'expired'] as const
export type ProposalState = (typeof proposalStates)[number]

/** A change that an assistant asks for. Nothing changes before a member approves it. */
export interface Proposal {
  id: string
  projectId: number
  /** The name of the tool that proposed it. */
  change: string
  /** In Tilth's own words: values that the assistant gave stand in `lines` and `reason`. */
  sentence: string
  /** The assistant's words; empty without any. */
  reason: string
  /** The difference, a line for each part. */
  lines: readonly string[]
  /** The path of the page of what it changes, below that of the project. */
  thing: string
  /** The version of what it changes when it was proposed; undefined of something new. */
  version: string | undefined
  /** The name of the key, or of the agent. */
  proposedBy: string
  proposedAt: Date
  state: ProposalState
  decidedBy: string | undefined
  decidedAt: Date | undefined
  /** The reason of a refusal. */
  refusal: string | undefined
  /** The path of the page of what was made; undefined until it is. */
  result: string | undefined
}

/** A day after the last that a member would remember what it was about. */
export const openForDays = 30

export const closesAt = ({ proposedAt }: Pick<Proposal, 'proposedAt'>): Date =>
  new Date(proposedAt.getTime() + openForDays * 86_400_000)
