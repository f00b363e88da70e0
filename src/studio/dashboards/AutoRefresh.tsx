'use client'

import { RefreshCw } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useEffect, useEffectEvent, useState, useTransition } from 'react'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'

/** Refreshes the page every `minutes` and shows the time left. Pauses while the tab is hidden. */
export function AutoRefresh({ minutes }: { minutes: number }) {
  const router = useNavigation()
  const [isPending, startTransition] = useTransition()
  const refresh = () => startTransition(() => router.refresh())

  return (
    <span className="flex items-center gap-1">
      <IconButton label="Refresh" icon={<Icon of={RefreshCw} />} busy={isPending} onClick={refresh} />
      {minutes > 0 && <Countdown key={minutes} seconds={minutes * 60} onEnd={refresh} />}
    </span>
  )
}

function Countdown({ seconds, onEnd }: { seconds: number; onEnd: () => void }) {
  const [left, setLeft] = useState(seconds)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    let now = seconds
    const timer = setInterval(() => {
      if (document.hidden) return
      now = now > 1 ? now - 1 : seconds
      setLeft(now)
      if (now === seconds) end()
    }, 1000)
    return () => clearInterval(timer)
  }, [seconds])

  return (
    <span role="timer" aria-label="Time to next refresh" className="text-xs text-muted tabular-nums">
      {clock(left)}
    </span>
  )
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
