'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { number } from '#ui/format'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import type { Feed } from './feed'
import { titleOf } from './sighting-labels'

/** Summarises events for screen readers: announcing each would drown everything else. */
const announceEveryMs = 5000

/** Says now and then how many came, and what the last one was. */
export function Announcer({ feed }: { feed: Feed }) {
  const [words, setAnnouncement] = useState('')
  const announcedCount = useRef(0)

  const tell = useEffectEvent(() => {
    const count = feed.nextId - announcedCount.current
    const [last] = feed.shown
    if (count === 0 || feed.isPaused || !last) return
    announcedCount.current = feed.nextId
    setAnnouncement(`${number(count)} new. The last: ${titleOf(last.sighting)}.`)
  })

  useEffect(() => {
    const clock = setInterval(tell, announceEveryMs)
    return () => clearInterval(clock)
  }, [])

  return (
    <output aria-label="News" aria-live="polite">
      <VisuallyHidden>{words}</VisuallyHidden>
    </output>
  )
}
