import type { PostState } from '../../../../../../posts/post'
import { Badge, type Tone } from '../../../../../../ui/Badge'

const looks: Record<PostState, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  published: { label: 'Published', tone: 'success' },
  archived: { label: 'Archived', tone: 'neutral' },
}

export function StateBadge({ state }: { state: PostState }) {
  const { label, tone } = looks[state]
  return (
    <Badge tone={tone} dot={state !== 'archived'}>
      {label}
    </Badge>
  )
}

export const stateWord = (state: PostState): string => looks[state].label
