import type { statusOf } from '#experiments/experiment'
import { Badge, type Tone } from '#ui/Badge'

type ExperimentStatus = ReturnType<typeof statusOf>

export const experimentStatusLabels: Record<ExperimentStatus, string> = {
  draft: 'Draft',
  running: 'Running',
  ended: 'Ended',
  archived: 'Archived',
}

const tones: Record<ExperimentStatus, Tone> = {
  draft: 'neutral',
  running: 'success',
  ended: 'info',
  archived: 'neutral',
}

export const ExperimentStatusBadge = ({ status }: { status: ExperimentStatus }) => (
  <Badge tone={tones[status]} dot>
    {experimentStatusLabels[status]}
  </Badge>
)
