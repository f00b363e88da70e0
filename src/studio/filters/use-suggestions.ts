'use client'

import { useEffect, useState } from 'react'
import type { EventOption, ValueOption } from '#insights/text/name-suggestions'
import type { ActionResult } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import type { PropertySubject } from './draft'
import {
  type PersonOption,
  type PropertySuggestions,
  suggestEvents,
  suggestPersons,
  suggestProperties,
  suggestValues,
} from './suggest'

export type SubjectType = PropertySubject['type'] | 'cohort'

/** The suggestions of a request that is pending, answered or failed. */
export interface Suggestions<Found> {
  found: Found
  isLoading: boolean
  /** Why there is nothing to choose from; names and values can still be typed. */
  trouble?: string
}

const noProperties: PropertySuggestions = { properties: [], cohorts: [] }
const noEvents: readonly EventOption[] = []
const noValues: readonly ValueOption[] = []
const noPersons: readonly PersonOption[] = []

/** Several editors on a page ask the same. */
const cachedAnswers = new Map<string, { answer: Promise<ActionResult>; at: number }>()
const cacheMs = 60_000

function askCached<Done extends object>(
  key: string,
  ask: () => Promise<ActionResult<Done>>,
): Promise<ActionResult<Done>> {
  const known = cachedAnswers.get(key)
  if (known && performance.now() - known.at < cacheMs) return known.answer
  const answer = withNetworkErrors(ask)
  cachedAnswers.set(key, { answer, at: performance.now() })
  void answer.then(({ done }) => done || cachedAnswers.delete(key))
  return answer
}

export function usePropertySuggestions(
  slug: string,
  of: readonly SubjectType[],
  event: string | null | undefined,
  isNeeded: boolean,
): Suggestions<PropertySuggestions> {
  return useCachedAnswer(
    isNeeded ? JSON.stringify(['properties', slug, of, event]) : undefined,
    noProperties,
    () => suggestProperties(slug, of, event),
  )
}

export function useEventSuggestions(slug: string): Suggestions<readonly EventOption[]> {
  const { found, ...rest } = useCachedAnswer<{ events: readonly EventOption[] }>(
    JSON.stringify(['events', slug]),
    { events: noEvents },
    () => suggestEvents(slug),
  )
  return { found: found.events, ...rest }
}

export function useValueSuggestions(
  slug: string,
  { type, key, group }: PropertySubject,
  search: string,
  event: string | null | undefined,
): Suggestions<readonly ValueOption[]> {
  const request = { type, key, group, search, event }
  const { found, ...rest } = useCachedAnswer<{ values: readonly ValueOption[] }>(
    JSON.stringify(['values', slug, request]),
    { values: noValues },
    () => suggestValues(slug, request),
    search === '' ? 0 : 200,
  )
  return { found: found.values, ...rest }
}

export function usePersonSuggestions(
  slug: string,
  search: string,
  isNeeded: boolean,
): Suggestions<readonly PersonOption[]> {
  const { found, ...rest } = useCachedAnswer<{ persons: readonly PersonOption[] }>(
    isNeeded ? JSON.stringify(['persons', slug, search]) : undefined,
    { persons: noPersons },
    () => suggestPersons(slug, search),
    search === '' ? 0 : 200,
  )
  return { found: found.persons, ...rest }
}

/** While the answer to a new key is on its way, the one before stays. */
function useCachedAnswer<Done extends object>(
  key: string | undefined,
  before: Done,
  ask: () => Promise<ActionResult<Done>>,
  waitMs = 0,
): Suggestions<Done> {
  const [state, setState] = useState<{ key?: string; found: Done; trouble?: string }>({ found: before })

  useEffect(() => {
    if (key === undefined) return undefined
    let isWanted = true
    const look = async () => {
      const answer = await askCached(key, ask)
      if (!isWanted) return
      if (answer.done) setState({ key, found: answer })
      else setState(({ found }) => ({ key, found, trouble: answer.problems[0]?.message }))
    }
    const timer = setTimeout(() => void look(), waitMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
    // the key says all that the query depends on
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])

  return { found: state.found, trouble: state.trouble, isLoading: key !== undefined && state.key !== key }
}
