'use client'

import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Icon } from '../../Icon'
import { IconButton } from '../../IconButton'
import { ScrollBox } from '../Table'

/** A box that scrolls sideways, with a fade and a button at its right edge while there is more to see. */
export function SidewaysScroll({
  caption,
  isReachable,
  moreLabel,
  children,
}: {
  caption: string
  isReachable: boolean
  /** The content that the button shows, such as later weeks. */
  moreLabel: string
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [hasMore, setHasMore] = useState(false)

  useEffect(() => {
    const box = frame.current?.firstElementChild
    if (!box) return undefined
    const measure = () => setHasMore(box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
    const observer = new ResizeObserver(measure)
    // the box changes with the page, its content with the fonts
    for (const sized of [box, ...box.children]) observer.observe(sized)
    box.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', measure)
    }
  }, [])

  const showMore = () => {
    const box = frame.current?.firstElementChild
    box?.scrollBy({ left: box.clientWidth / 2 })
  }

  return (
    <div ref={frame} className="relative min-w-0">
      <ScrollBox caption={caption} isReachable={isReachable}>
        {children}
      </ScrollBox>
      <div
        className={clsx(
          'pointer-events-none absolute inset-y-0 right-0 z-1 flex w-16 items-start justify-end',
          'bg-linear-to-l from-surface to-transparent',
          !hasMore && 'invisible',
        )}
      >
        <span className="pointer-events-auto rounded-md bg-surface">
          <IconButton size="sm" label={moreLabel} icon={<Icon of={ChevronRight} />} onClick={showMore} />
        </span>
      </div>
    </div>
  )
}
