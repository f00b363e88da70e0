import { type Sql, sql } from '#engine/sql'
import { Events } from './events'
import { readPage } from './goal'
import type { Period } from '../calendar/period'
import type { BaseQuestion, QuestionScope } from '../scope'
import { noSession } from './sessions'

/** The scroll depth of pages in percent. Of several views of a page in a visit the deepest counts. */
export const scrollDepth = (question: BaseQuestion, scope: QuestionScope, period: Period): Sql => sql`
  select if(countIf(deepest > 0) > 0, avgIf(deepest, deepest > 0), null) as scroll
  from (
    select max(${ofSession}) as deepest
    from ${new Events(scope, question, { period }).rows()}
    where scroll_depth > 0
    group by cityHash64(session_id, ${readPage})
  )`

/** Avoids a condition: the engine would then join all events' sessions before it filters by scroll depth. */
const ofSession = sql`if(session_id = ${noSession}, 0, scroll_depth)`
