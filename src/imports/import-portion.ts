import { z } from 'zod'
import { dailySum } from './daily/daily-sum'
import { importedEvent } from './internal/imported-event'
import { importedProfile } from './internal/imported-profile'

const mostEventsAtOnce = 2000
const mostSumsAtOnce = 10_000
const amount = z.int().min(0)

/** The next rows of an import, as they are sent to the Tilth that runs. */
export const importPortion = z.strictObject({
  from: amount.meta({ description: 'How many rows were read before these; as the import says' }),
  rows: amount.meta({ description: 'How many rows these events were made of, those left out included' }),
  dropped: z
    .record(z.string().max(200), amount)
    .default({})
    .meta({ description: 'How many rows were left out, by the reason' }),
  events: z.array(importedEvent).max(mostEventsAtOnce),
  sums: z
    .array(dailySum)
    .max(mostSumsAtOnce)
    .default([])
    .meta({ description: 'What the other product counted day by day, where it has no events' }),
  profiles: z
    .array(importedProfile)
    .max(mostEventsAtOnce)
    .default([])
    .meta({ description: 'Persons and groups, of an export that has them beside its events' }),
  cursor: z.string().max(2000).optional().meta({
    description: 'Where the source is read on behind these rows, for an import that is interrupted',
  }),
})

/** A portion without its events, which may be prepared elsewhere. */
export interface PortionHead extends Omit<z.infer<typeof importPortion>, 'events'> {
  /** The number of its events. */
  amount: number
}
