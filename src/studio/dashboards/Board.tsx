'use client'

import { lazy, type ReactNode, Suspense } from 'react'
import { CardCell, CardGrid } from '#dashboards/CardGrid'
import type { CardContent } from '#dashboards/dashboard'
import { sortByReadingOrder, type CardPlacement } from '#dashboards/grid'
import { boardId } from './board-id'
import { type CardChoiceLists, CardChoices } from './card-choices'

/** A card on the board; the server has rendered its content. */
export interface BoardCard {
  id: string
  place: CardPlacement
  label: string
  content: CardContent
  shown: ReactNode
}

export interface BoardProps {
  slug: string
  id: string
  name: string
  cards: readonly BoardCard[]
  isEditing: boolean
  choices: CardChoiceLists
}

const Editor = lazy(async () => ({ default: (await import('./BoardEditor')).BoardEditor }))

/** Lays out the cards; with the controls that move them while the dashboard is edited. */
export function Board({ isEditing, choices, ...board }: BoardProps) {
  const still = <Cards cards={board.cards} />
  return (
    <div
      id={boardId}
      className="min-w-0 [&:fullscreen]:overflow-y-auto [&:fullscreen]:bg-canvas [&:fullscreen]:p-6"
    >
      <p className="mb-4 hidden text-2xl font-semibold [:fullscreen>&]:block">{board.name}</p>
      {isEditing ? (
        <Suspense fallback={still}>
          <CardChoices value={choices}>
            <Editor {...board} />
          </CardChoices>
        </Suspense>
      ) : (
        still
      )}
    </div>
  )
}

const Cards = ({ cards }: { cards: readonly BoardCard[] }) => (
  <CardGrid>
    {sortByReadingOrder(cards).map(({ id, place, shown }) => (
      <CardCell key={id} place={place}>
        {shown}
      </CardCell>
    ))}
  </CardGrid>
)
