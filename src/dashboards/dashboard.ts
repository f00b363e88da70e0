import { z } from 'zod'
import { changeOf } from '#collection/change-of'
import { filter } from '#filters/filter'
import { comparisonText, periodText } from '#insights/calendar/period'
import { queryInput } from '#insights/query-input'
import { nameFor } from '#projects/name'
import { columns, smallest, tallest } from './grid'

export const mostCards = 60

/** The content of a card: a saved insight, a query of its own, the result of an experiment, or text. */
export const cardContent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('insight'), insight: z.string().min(1).max(100) }),
  z.strictObject({ type: z.literal('question'), title: nameFor('Name the card.'), question: queryInput }),
  z.strictObject({
    type: z.literal('experiment'),
    experiment: z.string().min(1, 'Choose an experiment.').max(100),
    metric: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The id of the metric with its effects; the first primary one if absent' }),
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().max(10_000, 'Use at most 10,000 characters.') }),
])
export type CardContent = z.infer<typeof cardContent>

const cell = (least: number, most: number) => z.number().int().min(least).max(most)

const cardPlacement = z
  .strictObject({
    x: cell(0, columns - smallest.w),
    y: cell(0, 10_000),
    w: cell(smallest.w, columns),
    h: cell(smallest.h, tallest),
  })
  .refine(({ x, w }) => x + w <= columns, { error: `A dashboard has ${columns} columns.` })

const cardId = z.string().regex(/^[\w-]{1,64}$/, 'An id has letters, digits, "-" and "_".')

/** A card without an id is new; a card without a place goes to the end. */
export const cardInput = z.strictObject({
  id: cardId.optional(),
  place: cardPlacement.optional(),
  content: cardContent,
})
export type CardInput = z.infer<typeof cardInput>
const savedCard = cardInput.required()
export type SavedCard = z.infer<typeof savedCard>

/** The positions of the cards; cards that are left out keep theirs. */
export const arrangement = z.strictObject({ places: z.record(cardId, cardPlacement) })

/** Minutes between two refreshes; 0 is never. */
const refreshChoices = [0, 1, 5, 15] as const

/** The period, comparison and filter of the dashboard, which override or extend those of its cards. */
export const viewOverrides = z.strictObject({
  period: periodText.optional(),
  compare: z.union([comparisonText, z.literal('none')]).optional(),
  filter: filter.optional(),
  refreshMinutes: z.literal(refreshChoices).default(0),
})
export type ViewOverrides = z.infer<typeof viewOverrides>

const cards = z
  .array(cardInput)
  .max(mostCards, `A dashboard has at most ${mostCards} cards.`)
  .refine((given) => isUnique(given.flatMap(({ id }) => id ?? [])), { error: 'Two cards have the same id.' })

const isUnique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length

/** The part of a dashboard that members edit. */
export const editableDashboard = z.strictObject({
  name: nameFor('Name the dashboard.'),
  description: z.string().trim().max(1000, 'Use at most 1000 characters.').default(''),
  cards: cards.default([]),
  look: viewOverrides.prefault({}),
})

/** A page of cards: insights, results of experiments, and text. */
export const dashboardSchema = z.strictObject({
  id: z.string(),
  projectId: z.number(),
  ...editableDashboard.shape,
  cards: z.array(savedCard),
  /** Incremented by each change of the cards. */
  version: z.number(),
  createdBy: z.string(),
  createdAt: z.date(),
  changedBy: z.string(),
  changedAt: z.date(),
  archivedAt: z.date().optional(),
})
export type Dashboard = z.infer<typeof dashboardSchema>

/** The cards as of one version. */
export const dashboardVersion = dashboardSchema.pick({
  version: true,
  cards: true,
  changedBy: true,
  changedAt: true,
})
export type DashboardVersion = z.infer<typeof dashboardVersion>

export const dashboardChange = changeOf(editableDashboard).extend({
  version: z.number({ error: 'Give the version as a number.' }).int().optional().meta({
    description: 'Of the cards that the change is based on; it is refused if there is a newer one',
  }),
})
