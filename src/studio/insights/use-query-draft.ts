'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useEffect, useState, useTransition } from 'react'
import { longestQuery, queryText } from '#insights/text/query-text'
import type { KindName, QueryByKind } from '#insights/answered-query'
import { paths } from '#studio/paths'
import { useDebouncedCallback } from '#studio/parts/use-debounced-callback'

/** A query of any kind. */
export type KindQuery = QueryByKind[KindName]

/** Queries run after this pause in typing. */
const debounceMs = 400
const slowMs = 1000

interface QueryDraftOptions {
  slug: string
  insightId: string | undefined
  answered: KindQuery
  /** The query as the address has it. */
  q: string | undefined
}

/** The query being edited: it is in the address, and the server answers it there. */
export function useQueryDraft({ slug, insightId, answered, q: shown = '' }: QueryDraftOptions) {
  const router = useNavigation()
  const [query, setQuery] = useState(answered)
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set([shown]))
  const [isPending, startTransition] = useTransition()
  // a link from elsewhere, such as the command palette, asks another query on this page
  if (!own.has(shown)) {
    setOwn(new Set([shown]))
    setQuery(answered)
  } else if (own.size > 1 && !isPending && shown === queryText(query)) {
    // the address has caught up with the form: no earlier query is on its way
    setOwn(new Set([shown]))
  }
  const { later, settle } = useDebouncedCallback(debounceMs)

  const text = queryText(query)
  const isTooLong = text.length > longestQuery

  function ask(next: KindQuery, waitMs = debounceMs) {
    setQuery(next)
    const q = queryText(next)
    if (q.length > longestQuery) return
    setOwn((before) => new Set([...before, q]))
    const address = insightId
      ? paths.insight(slug, insightId, { q, edit: 'yes' })
      : paths.newInsight(slug, { q })
    later(() => startTransition(() => router.replace(address, { scroll: false })), waitMs)
  }

  return {
    question: query,
    ask,
    settle,
    isPending,
    isSlow: useIsSlow(isPending),
    isTooLong,
    /** Returns to the last answered query. */
    cancel: () => ask(answered, 0),
  }
}

/** Whether it has been going on for longer than a moment. */
function useIsSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isPending])
  return isPending && isSlow
}
