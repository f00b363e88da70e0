import type { statusOf } from '#experiments/experiment'
import { Badge, type Tone } from '#ui/Badge'
import { statusLabels } from './list-filter'

type ExperimentStatus = ReturnType<typeof statusOf>

const tones: Record<ExperimentStatus, Tone> = {
  draft: 'neutral',
  running: 'success',
  ended: 'info',
  archived: 'neutral',
}

export const ExperimentStatusBadge = ({ status }: { status: ExperimentStatus }) => (
  <Badge tone={tones[status]} dot>
    {statusLabels[status]}
  </Badge>
)
