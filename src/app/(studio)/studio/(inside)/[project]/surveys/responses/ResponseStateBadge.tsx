import { Badge, type Tone } from '#ui/Badge'

export type ResponseState = 'completed' | 'dismissed' | 'abandoned' | 'open'

const states: Record<ResponseState, { label: string; tone: Tone }> = {
  completed: { label: 'Completed', tone: 'success' },
  dismissed: { label: 'Dismissed', tone: 'neutral' },
  abandoned: { label: 'Abandoned', tone: 'warning' },
  open: { label: 'In progress', tone: 'info' },
}

export const ResponseStateBadge = ({ state }: { state: ResponseState }) => (
  <Badge tone={states[state].tone} dot>
    {states[state].label}
  </Badge>
)
