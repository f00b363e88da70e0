import { type Sql, sql } from '../engine/sql'
import { Events } from './events'
import { readPage } from './goal'
import type { Period } from './period'
import type { Asked, Scope } from './scope'
import { noSession } from './sessions'

/** How much of a page was seen, in percent. One that was opened twice in a visit was read as far as the better time. */
export const scrolling = (question: Asked, scope: Scope, period: Period): Sql => sql`
  select if(countIf(deepest > 0) > 0, avgIf(deepest, deepest > 0), null) as scroll
  from (
    select max(${ofSession}) as deepest
    from ${new Events(scope, question, { period }).rows()}
    where scroll_depth > 0
    group by cityHash64(session_id, ${readPage})
  )`

/** Not a condition: the engine would look at the sessions of all events before it asks which were scrolled at all. */
const ofSession = sql`if(session_id = ${noSession}, 0, scroll_depth)`
