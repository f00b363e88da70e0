import { z } from 'zod'
import { type Sql, sql, string, uint } from '#engine/sql'
import { filter } from '#filters/filter'
import type { Events } from './internal/events'
import { isView } from '#engine/entry-page'

const pattern = z
  .string()
  .trim()
  .min(1, 'Name a page, such as "/thanks" or "/blog/*".')
  .max(500, 'Use at most 500 characters for a page.')
  .startsWith('/', 'Begin a page with "/", such as "/thanks".')

/** A goal: a page view or an event. */
export const goal = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page'), path: pattern }),
  z.object({ type: z.literal('event'), event: z.string().min(1).max(200), filter: filter.optional() }),
  z.object({ type: z.literal('scroll'), path: pattern, depth: z.number().int().min(1).max(100) }),
  z.object({ type: z.literal('revenue') }),
])
export type Goal = z.infer<typeof goal>

/** Whether an event reaches the goal, on the columns of `events.rows()`. */
export function reachesGoal(wanted: Goal, events: Events): Sql {
  if (wanted.type === 'revenue') return sql`(revenue > 0)`
  if (wanted.type === 'page') return sql`(${isView} and ${isPage(sql`path`, wanted.path)})`
  if (wanted.type === 'scroll')
    return sql`(scroll_depth >= ${uint(wanted.depth)} and ${isPage(readPage, wanted.path)})`
  const isEvent = sql`event = ${string(wanted.event)}`
  return wanted.filter ? sql`(${isEvent} and ${events.holds(wanted.filter)})` : sql`(${isEvent})`
}

/** The page of engagement and scroll depth: SDKs may send them with the event of the next page. */
export const readPage = sql`if(read_path != '', read_path, path)`

/** `*` stands for any characters. */
function isPage(path: Sql, wanted: string): Sql {
  if (!wanted.includes('*')) return sql`${path} = ${string(wanted)}`
  const like = wanted.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('*', '%')
  return sql`${path} like ${string(like)}`
}
