'use client'

import { useState } from 'react'
import { sortByReadingOrder, type CardPlacement, type PositionedCard, tidyCards } from '#dashboards/grid'

interface LayoutHistory {
  past: readonly (readonly PositionedCard[])[]
  now: readonly PositionedCard[]
  future: readonly (readonly PositionedCard[])[]
}

/** Card positions during editing, with undo and redo. */
export function useLayout(cards: readonly PositionedCard[]) {
  const given = cards.map(({ id, place }) => ({ id, place }))
  const [steps, setSteps] = useState<LayoutHistory>({ past: [], now: given, future: [] })
  const [known, setKnown] = useState(() => idsOf(given))

  // a card was added or removed: the others keep their unsaved places
  if (idsOf(given) !== known) {
    setKnown(idsOf(given))
    setSteps({ past: [], now: mergeCards(given, steps), future: [] })
  }

  return {
    layout: steps.now,
    isChanged: textOf(steps.now) !== textOf(given),
    mayUndo: steps.past.length > 0,
    mayRedo: steps.future.length > 0,
    put: (next: readonly PositionedCard[]) => setSteps((before) => after(before, next)),
    undo: () => setSteps(undone),
    redo: () => setSteps(redone),
    discard: () => setSteps({ past: [], now: given, future: [] }),
  }
}

function mergeCards(cards: readonly PositionedCard[], { past, now }: LayoutHistory): PositionedCard[] {
  if (past.length === 0) return [...cards]
  const moved = new Map(now.map(({ id, place }) => [id, place]))
  return tidyCards(cards.map((card) => ({ ...card, place: moved.get(card.id) ?? card.place })))
}

const after = ({ past, now }: LayoutHistory, next: readonly PositionedCard[]): LayoutHistory =>
  textOf(now) === textOf(next) ? { past, now, future: [] } : { past: [...past, now], now: next, future: [] }

function undone(steps: LayoutHistory): LayoutHistory {
  const before = steps.past.at(-1)
  if (!before) return steps
  return { past: steps.past.slice(0, -1), now: before, future: [steps.now, ...steps.future] }
}

function redone(steps: LayoutHistory): LayoutHistory {
  const [next, ...future] = steps.future
  return next ? { past: [...steps.past, steps.now], now: next, future } : steps
}

const idsOf = (cards: readonly PositionedCard[]): string =>
  cards
    .map(({ id }) => id)
    .toSorted()
    .join(' ')

const textOf = (cards: readonly PositionedCard[]): string =>
  JSON.stringify(sortByReadingOrder(cards).map(({ id, place: { x, y, w, h } }) => [id, x, y, w, h]))

export const placesOf = (cards: readonly PositionedCard[]): Record<string, CardPlacement> =>
  Object.fromEntries(cards.map(({ id, place }) => [id, place]))
