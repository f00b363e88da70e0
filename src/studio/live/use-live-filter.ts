'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { paths } from '#studio/paths'
import { type LiveFilter, liveFilterIn } from './list-filter'

/** The address holds the filter, to share and reload it. Changing it sends no request. */
export function useLiveFilter(slug: string) {
  const search = useSearchParams()
  const [filter, setFilter] = useState(() => liveFilterIn(search ?? new URLSearchParams()))

  function ask(changed: LiveFilter) {
    const next = { ...filter, ...changed }
    setFilter(next)
    history.replaceState(null, '', paths.live(slug, next))
  }

  return { question: filter, ask }
}

export type SetLiveFilter = ReturnType<typeof useLiveFilter>['ask']
