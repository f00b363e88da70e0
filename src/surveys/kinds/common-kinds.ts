import { multipleChoice, singleChoice } from './choice/run'
import { open } from './open/run'
import { rating } from './rating/run'
import type { KindTable } from './kind-rules'

export type CommonKind = 'open' | 'rating' | 'single-choice' | 'multiple-choice'

/** The kinds that most surveys are made of. */
export const commonKinds: KindTable<CommonKind> = {
  open,
  rating,
  'single-choice': singleChoice,
  'multiple-choice': multipleChoice,
}
