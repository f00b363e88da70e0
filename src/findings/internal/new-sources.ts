import { valueName } from '#events/value-names'
import type { PanelRow } from '#insights/kinds/breakdown/answer'
import { number, percent } from '#ui/format'
import type { Finding } from '../finding'
import { pageAddress } from './addresses'
import type { FindingContext, FindingRule } from './rule'

const leastShare = 0.05
const leastVisitors = 20
const largest = 10

/** Sources that bring a good part of the visitors and were not among the largest in the weeks before. */
export const newSources: FindingRule = {
  id: 'new-source',
  needs: ['events:read'],
  async find({ projectId, viewer, insights, weeks, numbers }) {
    if (!(await numbers()).numbers.some(({ of }) => of === 'visitors')) return []
    const ask = (period: string) =>
      insights.ask(projectId, { kind: 'breakdown', dimensions: ['source'], limit: largest, period }, viewer)
    const [last, earlier] = await Promise.all([ask(weeks.last), ask(weeks.earlier)])
    if (!last.done || !earlier.done) return []
    const rows = (answer: typeof last.answer) => answer.panels[0]?.rows ?? []
    return newSourcesIn(
      {
        last: rows(last.answer),
        earlier: rows(earlier.answer),
        visitors: last.answer.totals?.figures.visitors ?? 0,
      },
      weeks,
    )
  },
}

export function newSourcesIn(
  {
    last,
    earlier,
    visitors,
  }: {
    last: readonly Pick<PanelRow, 'value' | 'visitors'>[]
    earlier: readonly Pick<PanelRow, 'value'>[]
    visitors: number
  },
  weeks: Pick<FindingContext['weeks'], 'last' | 'words'>,
): Finding[] {
  const known = new Set(earlier.map(({ value }) => value))
  return last
    .filter(
      (row) =>
        row.value !== null &&
        !known.has(row.value) &&
        row.visitors >= leastVisitors &&
        row.visitors >= leastShare * visitors,
    )
    .map(({ value, visitors: brought }) => {
      const name = valueName('$entry_source', value)
      return {
        rule: newSources.id,
        urgency: 'decide',
        headline: [{ name }, ` is a new source: it brought ${percent(brought / visitors)} of the visitors`],
        reason: `${number(brought)} of ${number(visitors)} visitors in the week of ${weeks.words}; it was not among the ${largest} largest sources in the eight weeks before.`,
        action: {
          label: 'See its visits',
          path: pageAddress.web([
            ['period', weeks.last],
            ['source', value ?? ''],
          ]),
        },
      }
    })
}
