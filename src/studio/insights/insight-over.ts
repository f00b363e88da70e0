import { questionText } from '#insights/text/question-text'
import { paths } from '#studio/paths'
import type { KindQuestion } from './use-question-draft'

/** The address of a saved insight over a period, which may be another than it was saved with. */
export const insightOver = (
  period: string,
  { slug, id, kept }: { slug: string; id: string; kept: KindQuestion },
): string => paths.insight(slug, id, period === kept.period ? {} : { q: questionText({ ...kept, period }) })
