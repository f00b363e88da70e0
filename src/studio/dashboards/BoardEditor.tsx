'use client'

import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  PointerSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { clsx } from 'clsx'
import { GripVertical, Redo2, Save, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState, useTransition } from 'react'
import { CardCell, CardGrid, gapRem, rowRem } from '#dashboards/CardGrid'
import {
  columns,
  sortByReadingOrder,
  moveCard,
  type CardPlacement,
  type PositionedCard,
  resizeCard,
  stepCard,
} from '#dashboards/grid'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { LeavingGuard } from '#studio/parts/LeavingGuard'
import { AddCard } from './AddCard'
import type { BoardCard, BoardProps } from './Board'
import { CardMenu } from './CardMenu'
import { arrangeCards, restoreLayout } from './changes'
import { placesOf, useLayout } from './use-layout'

/** Moves and resizes cards, by dragging and by keyboard; changes are saved together. */
export function BoardEditor({ slug, id, cards }: Omit<BoardProps, 'isEditing' | 'choices'>) {
  const gridElement = useRef<HTMLDivElement>(null)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const steps = useLayout(cards)
  const [dragged, setDragged] = useState<readonly PositionedCard[]>()
  const [announcement, setAnnouncement] = useState('')
  const shown = dragged ?? steps.layout
  useUndoKeys(steps)

  function put(next: readonly PositionedCard[], card: BoardCard) {
    steps.put(next)
    setAnnouncement(describePlace(card.label, next.find((one) => one.id === card.id)?.place))
  }
  const preview = (event: DragMoveEvent) => setDragged(draggedTo(event, steps.layout, gridElement.current))
  function drop(event: DragEndEvent) {
    const card = cards.find((one) => one.id === nameOf(event).card)
    setDragged(undefined)
    if (card) put(draggedTo(event, steps.layout, gridElement.current), card)
  }
  const byId = new Map(cards.map((card) => [card.id, card]))

  return (
    <div className="flex flex-col gap-4">
      <EditBar slug={slug} id={id} steps={steps} />
      <LeavingGuard isUnsaved={steps.isChanged} />
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
      <DndContext
        id={`dashboard ${id}`}
        sensors={sensors}
        measuring={{ draggable: { measure: noPlace } }}
        onDragMove={preview}
        onDragEnd={drop}
        onDragCancel={() => setDragged(undefined)}
        accessibility={silentAnnouncements}
      >
        <CardGrid ref={gridElement} hasFixedRows>
          {sortByReadingOrder(shown).flatMap(({ id: cardId, place }) => {
            const card = byId.get(cardId)
            if (!card) return []
            return (
              <CardCell key={cardId} place={place}>
                <MovableCard slug={slug} dashboard={id} card={card} layout={steps.layout} put={put} />
              </CardCell>
            )
          })}
        </CardGrid>
      </DndContext>
    </div>
  )
}

/** Measures every card as empty: the card's own movement would otherwise be subtracted from the pointer's. */
const noPlace = () => ({ top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0 })

/** Our own announcements use columns and rows. */
const silentAnnouncements = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
}

const describePlace = (label: string, place: CardPlacement | undefined): string =>
  place
    ? `${label}: column ${place.x + 1}, row ${place.y + 1}, ${place.w} columns wide, ${place.h} rows high`
    : ''

const nameOf = ({ active }: Pick<DragMoveEvent, 'active'>) => {
  const [what = '', card = ''] = String(active.id).split(/ (.*)/)
  return { what, card }
}

/** Converts pixels to columns and rows. On narrow screens cards are stacked, and nothing moves. */
function draggedTo(
  event: Pick<DragMoveEvent, 'active' | 'delta'>,
  layout: readonly PositionedCard[],
  gridElement: HTMLDivElement | null,
): readonly PositionedCard[] {
  if (!gridElement || getComputedStyle(gridElement).gridTemplateColumns.split(' ').length < columns)
    return layout
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const by = {
    x: Math.round(event.delta.x / ((gridElement.clientWidth + gapRem * rem) / columns)),
    y: Math.round(event.delta.y / ((rowRem + gapRem) * rem)),
  }
  const { what, card } = nameOf(event)
  return what === 'size' ? resizeCard(layout, card, { w: by.x, h: by.y }) : moveCard(layout, card, by)
}

const arrows = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const
const isArrow = (key: string): key is keyof typeof arrows => Object.hasOwn(arrows, key)
const growth = { left: { w: -1 }, right: { w: 1 }, up: { h: -1 }, down: { h: 1 } } as const

function MovableCard({
  slug,
  dashboard,
  card,
  layout,
  put,
}: {
  slug: string
  dashboard: string
  card: BoardCard
  layout: readonly PositionedCard[]
  put: (next: readonly PositionedCard[], card: BoardCard) => void
}) {
  const {
    setNodeRef: setCard,
    listeners: gripped,
    isDragging: isMoving,
  } = useDraggable({ id: `move ${card.id}` })
  const {
    setNodeRef: setCorner,
    listeners: pulled,
    isDragging: isGrowing,
  } = useDraggable({ id: `size ${card.id}` })

  function onKeyDown(event: KeyboardEvent) {
    if (!isArrow(event.key)) return
    event.preventDefault()
    const direction = arrows[event.key]
    put(
      event.shiftKey ? resizeCard(layout, card.id, growth[direction]) : stepCard(layout, card.id, direction),
      card,
    )
  }

  return (
    <div
      ref={setCard}
      className="relative min-w-0 rounded-lg outline-2 outline-accent-line data-dragged:outline-accent @xl/board:h-full"
      data-dragged={isMoving || isGrowing || undefined}
    >
      <div
        inert
        className={clsx('@xl/board:h-full @xl/board:[&>*]:h-full', card.content.type === 'text' && 'pt-11')}
      >
        {card.shown}
      </div>
      <div className="absolute inset-x-0 top-0 flex h-11 items-center gap-1 rounded-t-lg border border-line bg-raised px-1.5">
        <span {...gripped} className="flex touch-none">
          <IconButton
            size="sm"
            label={`Move ${card.label}: drag or use arrow keys; Shift + arrow keys resize`}
            icon={<Icon of={GripVertical} />}
            onKeyDown={onKeyDown}
          />
        </span>
        <span className="min-w-0 grow truncate text-sm font-medium">{card.label}</span>
        <CardMenu slug={slug} dashboard={dashboard} card={card} />
      </div>
      <span
        ref={setCorner}
        {...pulled}
        aria-hidden
        className="absolute right-1 bottom-1 size-4 cursor-nwse-resize touch-none rounded-br-md border-r-2 border-b-2 border-accent @max-xl/board:hidden"
      />
    </div>
  )
}

type LayoutSteps = ReturnType<typeof useLayout>

function EditBar({ slug, id, steps }: { slug: string; id: string; steps: LayoutSteps }) {
  const { save, isSaving } = useSaving(slug, id, steps)
  const unchanged = steps.isChanged ? undefined : 'No changes to save'
  return (
    <div className="sticky top-2 z-sticky flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2">
      <AddCard slug={slug} dashboard={id} />
      <p className="grow text-xs text-muted max-md:hidden">
        Drag cards to move them. On a focused handle, arrow keys move and Shift + arrow keys resize.
      </p>
      <IconButton
        label="Undo"
        shortcut="mod+Z"
        icon={<Icon of={Undo2} />}
        disabledReason={steps.mayUndo ? undefined : 'Nothing to undo'}
        onClick={steps.undo}
      />
      <IconButton
        label="Redo"
        icon={<Icon of={Redo2} />}
        disabledReason={steps.mayRedo ? undefined : 'Nothing to redo'}
        onClick={steps.redo}
      />
      <Button size="sm" disabledReason={unchanged} onClick={steps.discard}>
        Discard
      </Button>
      <Button
        size="sm"
        variant="primary"
        icon={<Icon of={Save} />}
        busy={isSaving}
        disabledReason={unchanged}
        onClick={save}
      >
        Save layout
      </Button>
    </div>
  )
}

/** Keeps the layout, and offers the one before. */
function useSaving(slug: string, id: string, { layout, isChanged }: LayoutSteps) {
  const showToast = useToast()
  const { make } = useDirectChange()
  const [isSaving, startSaving] = useTransition()

  // together with the page: a later effect would still ask when the page already shows that all is saved
  useLayoutEffect(() => {
    if (!isChanged) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])

  const undo = (version: number) =>
    void make(() => restoreLayout(slug, id, version), { saved: 'Layout restored' })
  const save = () =>
    startSaving(async () => {
      const failed = await make(() => arrangeCards(slug, id, placesOf(layout)), {
        onDone: ({ before }) =>
          showToast({
            title: 'Layout saved',
            tone: 'success',
            action: { label: 'Undo', onSelect: () => undo(before) },
          }),
      })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })
  return { save, isSaving }
}

function useUndoKeys({ undo, redo }: LayoutSteps) {
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
      if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
      event.preventDefault()
      if (event.shiftKey) redo()
      else undo()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
