import type { SurveyStatus } from '#surveys/survey'
import { Badge, type Tone } from '#ui/Badge'
import { statusLabels } from './list-filter'

const tones: Record<SurveyStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  running: 'success',
  full: 'warning',
  ended: 'neutral',
  archived: 'neutral',
}

export const SurveyStatusBadge = ({ status }: { status: SurveyStatus }) => (
  <Badge tone={tones[status]} dot>
    {statusLabels[status]}
  </Badge>
)
