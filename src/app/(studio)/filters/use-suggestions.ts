'use client'

import { useEffect, useState } from 'react'
import type { EventSeen, ValueSeen } from '../../../insights/names'
import type { Answer } from '../answer'
import { reached } from '../reached'
import type { Subject } from './draft'
import { type Suggested, suggestEvents, suggestProperties, suggestValues } from './suggest'

export type Whom = Subject['type'] | 'cohort'

/** What was asked for is on its way, there, or could not be had. */
export interface Suggestions<Found> {
  found: Found
  isLoading: boolean
  /** Why there is nothing to choose from; names and values can still be typed. */
  trouble?: string
}

const nothing: Suggested = { properties: [], cohorts: [] }
const noEvents: readonly EventSeen[] = []
const noValues: readonly ValueSeen[] = []

/** Several editors on a page ask the same. */
const asked = new Map<string, { answer: Promise<Answer>; at: number }>()
const goodForMs = 60_000

function askedOnce<Done extends object>(
  key: string,
  ask: () => Promise<Answer<Done>>,
): Promise<Answer<Done>> {
  const known = asked.get(key)
  if (known && performance.now() - known.at < goodForMs) return known.answer
  const answer = reached(ask)
  asked.set(key, { answer, at: performance.now() })
  void answer.then(({ done }) => done || asked.delete(key))
  return answer
}

export function usePropertySuggestions(
  slug: string,
  of: readonly Whom[],
  event: string | null | undefined,
  isNeeded: boolean,
): Suggestions<Suggested> {
  return useAsked(isNeeded ? JSON.stringify(['properties', slug, of, event]) : undefined, nothing, () =>
    suggestProperties(slug, of, event),
  )
}

export function useEventSuggestions(slug: string): Suggestions<readonly EventSeen[]> {
  const { found, ...rest } = useAsked<{ events: readonly EventSeen[] }>(
    JSON.stringify(['events', slug]),
    { events: noEvents },
    () => suggestEvents(slug),
  )
  return { found: found.events, ...rest }
}

export function useValueSuggestions(
  slug: string,
  { type, key, group }: Subject,
  search: string,
  event: string | null | undefined,
): Suggestions<readonly ValueSeen[]> {
  const question = { type, key, group, search, event }
  const { found, ...rest } = useAsked<{ values: readonly ValueSeen[] }>(
    JSON.stringify(['values', slug, question]),
    { values: noValues },
    () => suggestValues(slug, question),
    search === '' ? 0 : 200,
  )
  return { found: found.values, ...rest }
}

/** While the answer to a new key is on its way, the one before stays. */
function useAsked<Done extends object>(
  key: string | undefined,
  before: Done,
  ask: () => Promise<Answer<Done>>,
  waitMs = 0,
): Suggestions<Done> {
  const [state, setState] = useState<{ key?: string; found: Done; trouble?: string }>({ found: before })

  useEffect(() => {
    if (key === undefined) return undefined
    let isWanted = true
    const look = async () => {
      const answer = await askedOnce(key, ask)
      if (!isWanted) return
      if (answer.done) setState({ key, found: answer })
      else setState(({ found }) => ({ key, found, trouble: answer.problems[0]?.message }))
    }
    const timer = setTimeout(() => void look(), waitMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
    // the key says all that the question depends on
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])

  return { found: state.found, trouble: state.trouble, isLoading: key !== undefined && state.key !== key }
}
