import { setTimeout as delay } from 'node:timers/promises'
import { type ProductProcess, secretKey } from '../crashlab/product-process'
import { signIn } from '../loads/trickle-and-forms'

const pageviews = { event: '$pageview', measure: { math: 'persons' } }

/** The queries of dashboards and of programs. */
const queries: readonly object[] = [
  { question: { kind: 'trend', period: '7d', series: [pageviews] } },
  { question: { kind: 'totals', period: 'today' } },
  { question: { kind: 'breakdown', period: '30d', dimensions: ['page'] } },
  { question: { kind: 'funnel', period: '30d', steps: [{ event: '$pageview' }, { event: 'signup' }] } },
  { question: { kind: 'retention', period: '30d' } },
  { question: { kind: 'trend', period: '30d', series: [{ event: 'numbered' }], interval: 'hour' } },
  { sql: 'select event, count() as events from events group by event order by events desc limit 20' },
]

const sections = [
  '',
  '/web',
  '/live',
  '/insights',
  '/dashboards',
  '/people',
  '/flags',
  '/surveys',
  '/experiments',
]

/** Asks a query in each turn, and opens each page of the studio; says what was answered with a failure of ours. */
export async function readInTurn(
  tilth: ProductProcess,
  { isOver, onFailure }: { isOver: () => boolean; onFailure: (failure: string) => void },
): Promise<number> {
  const cookie = await signIn(tilth.address)
  if (cookie === '') onFailure('the owner could not sign in')
  let asked = 0
  for (; !isOver(); asked++) {
    const query = queries[asked % queries.length]
    const section = `/studio/acme${sections[asked % sections.length]}`
    const answers = [
      [
        JSON.stringify(query),
        await statusOf(`${tilth.address}/api/v1/projects/acme/query`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(query),
        }),
      ],
      [section, await statusOf(tilth.address + section, { headers: { cookie, accept: 'text/html' } })],
    ] as const
    for (const [name, status] of answers) if (status !== 200) onFailure(`${name} was answered ${status}`)
    await delay(1000)
  }
  return asked
}

/** 0 if there was no answer. */
async function statusOf(address: string, sent: RequestInit): Promise<number> {
  return await fetch(address, { ...sent, redirect: 'manual' })
    .then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
    .catch(() => 0)
}
