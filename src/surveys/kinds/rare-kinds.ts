import type { QuestionKind } from '../question'
import type { CommonKind } from './common-kinds'
import { consent } from './internal/consent/run'
import { contact } from './internal/contact/run'
import { date } from './internal/date/run'
import { link } from './internal/link/run'
import { matrix } from './internal/matrix/run'
import { picture } from './internal/picture/run'
import { ranking } from './internal/ranking/run'
import { statement } from './internal/statement/run'
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
