'use client'

import { RefreshCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState, useTransition } from 'react'
import { Icon } from '../../../ui/Icon'
import { IconButton } from '../../../ui/IconButton'

/** Looks again every so many minutes, and says how soon; nobody looks at a hidden tab, so there it waits. */
export function AutoRefresh({ minutes }: { minutes: number }) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const again = () => startTransition(() => router.refresh())

  return (
    <span className="flex items-center gap-1">
      <IconButton label="Look again now" icon={<Icon of={RefreshCw} />} busy={isPending} onClick={again} />
      {minutes > 0 && <Countdown key={minutes} seconds={minutes * 60} onEnd={again} />}
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
    <span role="timer" aria-label="Until the next look" className="text-xs text-muted tabular-nums">
      {clock(left)}
    </span>
  )
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
