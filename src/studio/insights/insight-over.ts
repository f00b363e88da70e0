import { queryText } from '#insights/text/query-text'
import { paths } from '#studio/paths'
import type { KindQuery } from './use-query-draft'

/** The address of a saved insight over a period, which may be another than it was saved with. */
export const insightOver = (
  period: string,
  { slug, id, kept }: { slug: string; id: string; kept: KindQuery },
): string => paths.insight(slug, id, period === kept.period ? {} : { q: queryText({ ...kept, period }) })
