import { z } from 'zod'
import { filter } from '../filters/filter'
import { comparisonText, periodText } from '../insights/period'
import { nameFor } from '../projects/name'
import { columns, smallest, tallest } from './grid'

/** A page of insights. */
export interface Dashboard {
  id: string
  projectId: number
  name: string
  description: string
  cards: Card[]
  look: Look
  /** Counts up with every change of its cards. */
  version: number
  createdBy: string
  createdAt: Date
  changedBy: string
  changedAt: Date
  archivedAt: Date | undefined
}

/** What its cards were from then on. */
export type DashboardVersion = Pick<Dashboard, 'version' | 'cards' | 'changedBy' | 'changedAt'>

export const mostCards = 60

const question = z.looseObject({ kind: z.string() }, { error: 'Say what it asks.' })

/** What a card shows: an insight that is saved, a question of its own, or words. */
export const cardContent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('insight'), insight: z.string().min(1).max(100) }),
  z.strictObject({ type: z.literal('question'), title: nameFor('Name the card.'), question }),
  z.strictObject({ type: z.literal('text'), text: z.string().max(10_000, 'Use at most 10,000 characters.') }),
])
export type CardContent = z.infer<typeof cardContent>

const cell = (least: number, most: number) => z.number().int().min(least).max(most)

const place = z
  .strictObject({
    x: cell(0, columns - smallest.w),
    y: cell(0, 10_000),
    w: cell(smallest.w, columns),
    h: cell(smallest.h, tallest),
  })
  .refine(({ x, w }) => x + w <= columns, { error: `A dashboard has ${columns} columns.` })

const cardId = z.string().regex(/^[\w-]{1,64}$/, 'An id has letters, digits, "-" and "_".')

/** Without an id it is a new one; without a place it stands at the end. */
export const givenCard = z.strictObject({
  id: cardId.optional(),
  place: place.optional(),
  content: cardContent,
})
export type GivenCard = z.infer<typeof givenCard>
export type Card = Required<GivenCard>

/** Where each card stands; those that are left out stay where they are. */
export const arrangement = z.strictObject({ places: z.record(cardId, place) })

/** Minutes between two looks; 0 is never. */
export const refreshes = [0, 1, 5, 15] as const
export type Refresh = (typeof refreshes)[number]

/** What the whole dashboard says in place of its cards, or with them. */
export const look = z.strictObject({
  period: periodText.optional(),
  compare: z.union([comparisonText, z.literal('none')]).optional(),
  filter: filter.optional(),
  refreshMinutes: z.literal(refreshes).default(0),
})
export type Look = z.infer<typeof look>

const cards = z
  .array(givenCard)
  .max(mostCards, `A dashboard has ${mostCards} cards at most.`)
  .refine((given) => isUnique(given.flatMap(({ id }) => id ?? [])), { error: 'Two cards have the same id.' })

const isUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

const told = {
  name: nameFor('Name the dashboard after what it shows.'),
  description: z.string().trim().max(1000, 'Use at most 1000 characters.'),
  cards,
  look,
}

export const newDashboard = z.strictObject({
  ...told,
  description: told.description.default(''),
  cards: cards.default([]),
  look: look.prefault({}),
})

export const dashboardChange = z.strictObject(told).partial()
