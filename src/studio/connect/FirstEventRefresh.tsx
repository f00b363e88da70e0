'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useLiveStream } from '#studio/live/use-live-stream'

const refreshEveryMs = 1500
const mostRefreshes = 20

/** Refreshes the page from the first event's arrival until it is stored; then the page is rendered without this. */
export function FirstEventRefresh({ slug }: { slug: string }) {
  const router = useRouter()
  const [hasArrived, setArrived] = useState(false)
  useLiveStream(slug, (change) => {
    const liveEvents = 'liveEvents' in change ? change.liveEvents : []
    if (liveEvents.some(({ kind }) => kind === 'stored')) setArrived(true)
  })

  useEffect(() => {
    if (!hasArrived) return undefined
    let left = mostRefreshes
    const timer = setInterval(() => {
      router.refresh()
      left -= 1
      if (left === 0) clearInterval(timer)
    }, refreshEveryMs)
    return () => clearInterval(timer)
  }, [hasArrived, router])

  return null
}
