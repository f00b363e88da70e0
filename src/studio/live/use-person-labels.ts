'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { PersonLabel } from '#insights/people/person-label'
import type { LiveFeedEntry } from './feed'
import { namePersons } from './name-persons'
import { type PersonLabels, personsToName } from './person-labels'

/** Gathers what arrives together into one request. */
const askAfterMs = 300

/** Returns the labels of the persons of events, as they become known; those of all are read again after one was identified. */
export function usePersonLabels(slug: string, entries: readonly LiveFeedEntry[]): PersonLabels {
  const [labels, setLabels] = useState<PersonLabels>(new Map())
  const [namedUpTo, setNamedUpTo] = useState(-1)
  const wanted = personsToName(entries, labels, namedUpTo)
  const key = wanted.join(' ')

  const ask = useEffectEvent(async (isCurrent: () => boolean) => {
    const latest = entries[0]?.id ?? -1
    const found = await namePersons(slug, wanted).catch(() => undefined)
    if (!isCurrent() || !found?.done) return
    const named = found.persons.map(({ id, label }): [string, PersonLabel] => [id, label])
    setLabels((before) => new Map([...before, ...named]))
    setNamedUpTo((before) => Math.max(before, latest))
  })

  useEffect(() => {
    if (key === '') return undefined
    let isCurrent = true
    const timer = setTimeout(() => void ask(() => isCurrent), askAfterMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [key])

  return labels
}
