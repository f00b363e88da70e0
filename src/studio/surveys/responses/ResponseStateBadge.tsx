import { Badge, type Tone } from '#ui/Badge'

export type ResponseState = 'completed' | 'dismissed' | 'abandoned' | 'open'

export const stateLabels: Record<ResponseState, string> = {
  completed: 'Completed',
  dismissed: 'Dismissed',
  abandoned: 'Abandoned',
  open: 'In progress',
}

const tones: Record<ResponseState, Tone> = {
  completed: 'success',
  dismissed: 'neutral',
  abandoned: 'warning',
  open: 'info',
}

export const ResponseStateBadge = ({ state }: { state: ResponseState }) => (
  <Badge tone={tones[state]} dot>
    {stateLabels[state]}
  </Badge>
)
