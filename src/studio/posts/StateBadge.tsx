import type { PostState } from '#posts/post'
import { Badge, type Tone } from '#ui/Badge'

const stateBadges: Record<PostState, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  published: { label: 'Published', tone: 'success' },
  archived: { label: 'Archived', tone: 'neutral' },
}

export function StateBadge({ state }: { state: PostState }) {
  const { label, tone } = stateBadges[state]
  return (
    <Badge tone={tone} dot={state !== 'archived'}>
      {label}
    </Badge>
  )
}

/** The mark of a published post with saved changes that readers do not see yet. */
export const UnpublishedBadge = () => <Badge tone="warning">Unpublished changes</Badge>

export const stateLabel = (state: PostState): string => stateBadges[state].label
