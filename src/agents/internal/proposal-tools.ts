import { z } from 'zod'
import type { AnswerTable } from '#insights/kind'
import { failedOutcome } from '#projects/problems'
import { dateTime, plural } from '#ui/format'
import type { ProposableChange } from '../proposals/internal/proposable-change'
import { proposableChanges } from '../proposals/internal/proposable-changes'
import { closesAt, type Proposal, proposalStates } from '../proposals/proposal'
import { type AgentTool, below, defineTool, found, type ToolCall } from './agent-tool'

const pathOf = (id: string): string => `agents/proposals/${id}`

const toolFor = (change: ProposableChange): AgentTool => {
  const { name, title, description, input, reads, isDestructive } = change
  return {
    name,
    title,
    description: `${description} A person decides, unless you may do it at once.`,
    input,
    rights: ['proposals:write', ...reads],
    changes: { isDestructive },
    answer: (call) => answerOf(change, call),
  }
}

async function answerOf({ name }: ProposableChange, { product, project, viewer, input }: ToolCall) {
  const outcome = await product.proposals.request(project.id, name, input, viewer)
  if (!outcome.done) return outcome
  if (outcome.made) {
    const { preview, path } = outcome
    return found({ sentence: `Done: ${preview.sentence}`, path, table: differenceTable(preview.lines) })
  }
  const { proposal } = outcome
  return found({
    sentence: `Proposed: ${proposal.sentence} Nothing has changed yet. A person decides at the link below; give it to them.`,
    notes: [closing(proposal, project.timeZone)],
    path: pathOf(proposal.id),
    table: differenceTable(proposal.lines),
    data: { id: proposal.id, state: proposal.state },
  })
}

/** Values may repeat what visitors wrote, so they stand in cells. */
const differenceTable = (lines: readonly string[], ...more: readonly string[]): AnswerTable => ({
  columns: [{ name: 'difference', as: 'text' }],
  rows: [...lines, ...more].map((line) => [line]),
})

const closing = (proposal: Proposal, timeZone: string): string =>
  `Open until ${dateTime(closesAt(proposal), timeZone)}, ${timeZone}.`

const unknownOutcome =
  'Its outcome is not known: Tilth may have stopped while the change was made. See whether it was before you propose it again.'

const readingTools = [
  defineTool({
    name: 'list_proposals',
    title: 'List proposed changes',
    description: 'The changes that were proposed, with their state: open ones wait for a person.',
    input: z.object({ state: z.enum(proposalStates).optional() }),
    rights: ['project:read'],
    answer: async ({ product, project, viewer, input: { state } }) => {
      const all = await product.proposals.list(project.id, viewer, { state })
      return found({
        sentence: `${plural(all.length, 'proposal')}.`,
        path: below('agents/proposals', { state }),
        table: {
          columns: ['id', 'proposal', 'by', 'state'].map((name) => ({ name, as: 'text' })),
          rows: all.map((one) => [one.id, one.sentence, one.proposedBy, one.state]),
        },
      })
    },
  }),
  defineTool({
    name: 'read_proposal',
    title: 'Read a proposed change',
    description: 'The state of a proposal, its difference, who decided and why.',
    input: z.object({ id: z.string().max(100) }),
    rights: ['project:read'],
    answer: async ({ product, project, viewer, input: { id } }) => {
      const one = await product.proposals.find(project.id, id, viewer)
      if (!one) return failedOutcome('There is no such proposal in this project.', 'id')
      const { proposal, hindrance } = one
      const { sentence, lines, state, decidedBy, refusal, result } = proposal
      return found({
        sentence: `${sentence} The proposal is ${state}${decidedBy === undefined ? '' : `, by ${decidedBy}`}.`,
        table: differenceTable(
          lines,
          ...(refusal === undefined ? [] : [`Reason of the refusal: ${refusal}`]),
        ),
        notes: [
          ...(hindrance === undefined ? [] : [`It cannot be approved: ${hindrance}`]),
          ...(state === 'approved' && result === undefined ? [unknownOutcome] : []),
          ...(state === 'open' ? [closing(proposal, project.timeZone)] : []),
        ],
        path: pathOf(id),
        data: { id, state, ...(result !== undefined && { result }) },
      })
    },
  }),
  {
    ...defineTool({
      name: 'withdraw_proposal',
      title: 'Withdraw a proposed change',
      description: 'Takes back a proposal of yours that is still open.',
      input: z.object({ id: z.string().max(100) }),
      rights: ['project:read', 'proposals:write'],
      answer: async ({ product, project, viewer, input: { id } }) => {
        const outcome = await product.proposals.withdraw(project.id, id, viewer)
        return outcome.done ? found({ sentence: 'The proposal is withdrawn.', path: pathOf(id) }) : outcome
      },
    }),
    changes: { isDestructive: false },
  },
]

export const proposalTools: readonly AgentTool[] = [...proposableChanges.map(toolFor), ...readingTools]
