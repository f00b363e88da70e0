import type { TrafficKind } from '#events/event'
import { Badge, StatusDot, type Tone } from '#ui/Badge'
import type { LiveEventKind } from './list-filter'

const liveEventIcons: Record<LiveEventKind, { tone: Tone; label: string }> = {
  stored: { tone: 'success', label: 'Stored:' },
  dropped: { tone: 'warning', label: 'Dropped:' },
  refused: { tone: 'danger', label: 'Refused:' },
}

export function LiveEventIcon({ kind }: { kind: LiveEventKind }) {
  return <StatusDot {...liveEventIcons[kind]} />
}

const traffic: Record<TrafficKind, { tone: Tone; label: string }> = {
  human: { tone: 'neutral', label: 'Person' },
  ai: { tone: 'info', label: 'AI' },
  bot: { tone: 'warning', label: 'Bot' },
  feed: { tone: 'accent', label: 'Feed reader' },
}

/** The kind of traffic: person, AI, bot or feed reader. */
export function TrafficBadge({ kind }: { kind: TrafficKind }) {
  return <Badge tone={traffic[kind].tone}>{traffic[kind].label}</Badge>
}
