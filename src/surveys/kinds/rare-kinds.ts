import type { QuestionKind } from '../question'
import type { CommonKind } from './common-kinds'
import { consent } from './consent/run'
import { contact } from './contact/run'
import { date } from './date/run'
import { link } from './link/run'
import { matrix } from './matrix/run'
import { picture } from './picture/run'
import { ranking } from './ranking/run'
import { statement } from './statement/run'
import type { KindTable } from './kind-rules'

type RareKind = Exclude<QuestionKind, CommonKind>

/** The other kinds. The widget loads them, with `rareRules`, only for a survey that has one. */
export const rareKinds: KindTable<RareKind> = {
  consent,
  contact,
  date,
  link,
  matrix,
  picture,
  ranking,
  statement,
}
