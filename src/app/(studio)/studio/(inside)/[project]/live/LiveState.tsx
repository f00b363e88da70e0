'use client'

import { Badge, type Tone } from '../../../../../../ui/Badge'
import type { Connection } from './follow'

const words: Record<Connection, { tone: Tone; says: string }> = {
  opening: { tone: 'neutral', says: 'Connecting' },
  open: { tone: 'success', says: 'Listening' },
  lost: { tone: 'warning', says: 'Not connected' },
}

export function LiveState({ connection, isPaused = false }: { connection: Connection; isPaused?: boolean }) {
  const { tone, says } =
    isPaused && connection === 'open' ? ({ tone: 'info', says: 'Paused' } as const) : words[connection]
  return (
    <Badge tone={tone} dot>
      {says}
    </Badge>
  )
}
