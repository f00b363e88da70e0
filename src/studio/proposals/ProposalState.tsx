import type { ProposalState } from '#agents/proposals/proposal'
import { Badge } from '#ui/Badge'

export const proposalStateLabels = {
  open: 'Open',
  approved: 'Approved',
  refused: 'Refused',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
} as const satisfies Record<ProposalState, string>

const tones = {
  open: 'info',
  approved: 'success',
  refused: 'danger',
  withdrawn: 'neutral',
  expired: 'neutral',
} as const

export const ProposalStateBadge = ({ state }: { state: ProposalState }) => (
  <Badge tone={tones[state]} dot={state === 'open'}>
    {proposalStateLabels[state]}
  </Badge>
)
