'use client'

import { useState } from 'react'
import { inReadingOrder, type Place, type Placed, tidied } from '../../../dashboards/grid'

interface Steps {
  past: readonly (readonly Placed[])[]
  now: readonly Placed[]
  future: readonly (readonly Placed[])[]
}

/** Where cards stand while somebody moves them, with the way back and forth. */
export function useLayout(cards: readonly Placed[]) {
  const given = cards.map(({ id, place }) => ({ id, place }))
  const [steps, setSteps] = useState<Steps>({ past: [], now: given, future: [] })
  const [known, setKnown] = useState(() => idsOf(given))

  // a card came or went meanwhile: the others keep the places that were not kept yet
  if (idsOf(given) !== known) {
    setKnown(idsOf(given))
    setSteps({ past: [], now: merged(given, steps), future: [] })
  }

  return {
    layout: steps.now,
    isChanged: textOf(steps.now) !== textOf(given),
    mayUndo: steps.past.length > 0,
    mayRedo: steps.future.length > 0,
    put: (next: readonly Placed[]) => setSteps((before) => after(before, next)),
    undo: () => setSteps(back),
    redo: () => setSteps(forth),
    discard: () => setSteps({ past: [], now: given, future: [] }),
  }
}

function merged(given: readonly Placed[], { past, now }: Steps): Placed[] {
  if (past.length === 0) return [...given]
  const moved = new Map(now.map(({ id, place }) => [id, place]))
  return tidied(given.map((card) => ({ ...card, place: moved.get(card.id) ?? card.place })))
}

const after = ({ past, now }: Steps, next: readonly Placed[]): Steps =>
  textOf(now) === textOf(next) ? { past, now, future: [] } : { past: [...past, now], now: next, future: [] }

function back(steps: Steps): Steps {
  const before = steps.past.at(-1)
  if (!before) return steps
  return { past: steps.past.slice(0, -1), now: before, future: [steps.now, ...steps.future] }
}

function forth(steps: Steps): Steps {
  const [next, ...future] = steps.future
  return next ? { past: [...steps.past, steps.now], now: next, future } : steps
}

const idsOf = (cards: readonly Placed[]): string =>
  cards
    .map(({ id }) => id)
    .toSorted()
    .join(' ')

const textOf = (cards: readonly Placed[]): string =>
  JSON.stringify(inReadingOrder(cards).map(({ id, place: { x, y, w, h } }) => [id, x, y, w, h]))

export const placesOf = (cards: readonly Placed[]): Record<string, Place> =>
  Object.fromEntries(cards.map(({ id, place }) => [id, place]))
