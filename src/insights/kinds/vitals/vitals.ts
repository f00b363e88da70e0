import type { Outcome } from '#projects/problems'
import { type AnswerTable, type AnswerCell, defineKind } from '#insights/kind'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import type { VitalSummary, VitalsAnswer } from './answer'
import { vitalNames, webVitals } from '#insights/compile/web-vitals'
import { ofPages, ofSite, type VitalRow } from './query'
import { type VitalsQuery, vitalsQuery } from './schema'

export const vitalsKind = defineKind<VitalsQuery, VitalsAnswer>({
  about: 'How fast pages load, answer and come to rest, for three of four visitors.',
  query: vitalsQuery,
  answer,
  table,
})

async function answer(query: VitalsQuery, scope: QueryScope): Promise<Outcome<{ answer: VitalsAnswer }>> {
  const period = await queryPeriod(query, scope)
  const [site, pages] = await Promise.all([
    scope.run<VitalRow>(ofSite(query, scope, period)),
    scope.run<VitalSummary & { page: string }>(ofPages(query, scope, period)),
  ])
  const byName = new Map(site.map(({ vital, ...row }) => [vital, row]))
  const told = (name: (typeof vitalNames)[number]): VitalSummary => byName.get(name) ?? unmeasured
  return {
    done: true,
    answer: {
      site: { LCP: told('LCP'), INP: told('INP'), CLS: told('CLS'), FCP: told('FCP'), TTFB: told('TTFB') },
      pages: pages.map(({ page, ...vital }) => ({ page, vital })),
    },
  }
}

const unmeasured: VitalSummary = { p75: null, measured: 0, good: 0, poor: 0 }

function table({ site, pages }: VitalsAnswer, { vital }: VitalsQuery): AnswerTable {
  return {
    columns: [
      { name: 'Vital', as: 'text' },
      { name: 'Page', as: 'text' },
      { name: '75th percentile', as: 'number' },
      { name: 'Measured', as: 'number' },
      { name: 'Good', as: 'percent' },
      { name: 'Poor', as: 'percent' },
    ],
    rows: [
      ...vitalNames.map((name) => [webVitals[name].label, null, ...cellsOf(site[name])]),
      ...pages.map(({ page, vital: told }) => [webVitals[vital].label, page, ...cellsOf(told)]),
    ],
  }
}

const cellsOf = ({ p75, measured, good, poor }: VitalSummary): AnswerCell[] => [
  p75,
  measured,
  measured > 0 ? good / measured : null,
  measured > 0 ? poor / measured : null,
]
