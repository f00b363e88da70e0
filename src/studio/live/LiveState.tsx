'use client'

import { Badge, type Tone } from '#ui/Badge'
import type { LiveConnection } from './use-live-stream'

const connectionLabels: Record<LiveConnection, { tone: Tone; says: string }> = {
  opening: { tone: 'neutral', says: 'Connecting' },
  open: { tone: 'success', says: 'Connected' },
  lost: { tone: 'warning', says: 'Not connected' },
}

export function LiveState({
  connection,
  isPaused = false,
}: {
  connection: LiveConnection
  isPaused?: boolean
}) {
  const { tone, says } =
    isPaused && connection === 'open'
      ? ({ tone: 'info', says: 'Paused' } as const)
      : connectionLabels[connection]
  return (
    <Badge tone={tone} dot>
      {says}
    </Badge>
  )
}
