'use client'

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { number } from '../../../../../../ui/format'
import { VisuallyHidden } from '../../../../../../ui/VisuallyHidden'
import type { Feed } from './feed'
import { titleOf } from './telling'

/** A screen reader that was told of every event could never say anything else. */
const sayEveryMs = 5000

/** Says now and then how many came, and what the last one was. */
export function Announcer({ feed }: { feed: Feed }) {
  const [words, say] = useState('')
  const heard = useRef(0)

  const tell = useEffectEvent(() => {
    const count = feed.nextId - heard.current
    const [last] = feed.shown
    if (count === 0 || feed.isPaused || !last) return
    heard.current = feed.nextId
    say(`${number(count)} new. The last: ${titleOf(last.sighting)}.`)
  })

  useEffect(() => {
    const clock = setInterval(tell, sayEveryMs)
    return () => clearInterval(clock)
  }, [])

  return (
    <output aria-label="News" aria-live="polite">
      <VisuallyHidden>{words}</VisuallyHidden>
    </output>
  )
}
