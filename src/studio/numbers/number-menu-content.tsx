'use client'

import { useEffect, useState } from 'react'
import { Icon } from '#ui/Icon'
import { plural } from '#ui/format'
import type { MarkMenuContent, PressedMark } from '#ui/overlay/MarkMenu'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { countNumber } from './actions'
import { linkedNumber, numberActions } from './number-actions'

/** Returns the entries for the persons of a pressed number, of the actions that the member may take. */
export const numberMenuContent =
  (allowed: readonly string[]) =>
  ({ address, words }: PressedMark): MarkMenuContent => {
    const pressed = linkedNumber(address)
    if (!pressed) return { heading: words, entries: [{ kind: 'link', label: 'Who are they', href: address }] }
    const { slug, parameters } = pressed
    return {
      heading: <PeopleCount key={address} slug={slug} {...parameters} words={words} />,
      entries: numberActions.flatMap(({ id, label, icon, hrefOf }) => {
        const href = allowed.includes(id) ? hrefOf(pressed) : undefined
        return href === undefined ? [] : [{ kind: 'link', label, icon: <Icon of={icon} />, href }]
      }),
    }
  }

interface PeopleCountProps {
  slug: string
  q: string
  point: string
  words: string
}

/** The name of the mark, and how many people it concerns: that arrives after the menu has opened. */
function PeopleCount({ slug, q, point, words }: PeopleCountProps) {
  const [counted, setCounted] = useState<string>()
  useEffect(() => {
    let isWanted = true
    const look = async () => {
      const answer = await withNetworkErrors(() => countNumber(slug, q, point))
      if (isWanted) setCounted(answer.done ? peopleText(answer.total) : answer.problems[0]?.message)
    }
    void look()
    return () => {
      isWanted = false
    }
  }, [slug, q, point])

  return (
    <span className="flex max-w-72 flex-col gap-0.5">
      <bdi className="line-clamp-2 wrap-anywhere">{words}</bdi>
      <span className="font-medium text-ink tabular-nums">{counted ?? 'Counting…'}</span>
    </span>
  )
}

const peopleText = (total: number): string => plural(total, 'person', 'people')
