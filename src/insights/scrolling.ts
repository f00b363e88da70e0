import { type Sql, sql } from '../engine/sql'
import { Events } from './events'
import { readPage } from './goal'
import type { Period } from './period'
import type { Asked, Scope } from './scope'
import { noSession } from './sessions'

/** How much of a page was seen, in percent. One that was opened twice in a visit was read as far as the better time. */
export const scrolling = (question: Asked, scope: Scope, period: Period): Sql => sql`
  select if(count() > 0, avg(deepest), null) as scroll
  from (
    select max(scroll_depth) as deepest
    from ${new Events(scope, question, { period }).rows()}
    where scroll_depth > 0 and session_id != ${noSession}
    group by cityHash64(session_id, ${readPage})
  )`
