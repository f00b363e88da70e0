import { choice } from '../choice/schema'
import { consent } from '../consent/schema'
import { contact } from '../contact/schema'
import { date } from '../date/schema'
import { link } from '../link/schema'
import { matrix } from '../matrix/schema'
import { open } from '../open/schema'
import { picture } from '../picture/schema'
import { ranking } from '../ranking/schema'
import { rating } from '../rating/schema'
import { statement } from '../statement/schema'

/**
 * The schemas of all kinds of questions, in the order in which the API describes them. The names of the kinds come from
 * here; every other table of kinds has an entry for each.
 */
export const questionSchemas = [
  open,
  rating,
  choice,
  link,
  ranking,
  matrix,
  picture,
  date,
  contact,
  consent,
  statement,
] as const
