import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProductProcess } from '../crashlab/product-process'
import { emptyReport, sendSteadily, type SteadyReport } from './small-requests'

interface HistoryLoad {
  /** The events that are imported. */
  events: number
  perSecond: number
  print?: (line: string) => void
}

export interface HistoryReport {
  failures: string[]
  quiet: SteadyReport
  beside: SteadyReport
  importSeconds: number
}

/** Twenty events of each of a person's visits, over a year, as PostHog exports them. */
export function historyOf(events: number): string {
  const began = Date.UTC(2025, 0, 1)
  const rows = Array.from({ length: events }, (_, n) => {
    const person = Math.floor(n / 20)
    return JSON.stringify({
      uuid: `01940000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
      event: n % 3 === 0 ? '$pageview' : 'ordered',
      distinct_id: `visitor ${person}`,
      timestamp: new Date(began + Math.floor((n / events) * 365 * 86_400_000)).toISOString(),
      properties: JSON.stringify({
        $current_url: `https://www.example.com/pricing?page=${n % 40}`,
        $browser: 'Chrome',
        $set: { plan: 'team', number: n },
        amount: n % 500,
      }),
    })
  })
  return rows.join('\n')
}

/** Sends small requests to a quiet Tilth, and then beside an import. None of them may be refused. */
export async function sendBesideHistory({ events, perSecond, print }: HistoryLoad): Promise<HistoryReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-loads-'))
  const report: HistoryReport = {
    failures: [],
    quiet: emptyReport(),
    beside: emptyReport(),
    importSeconds: 0,
  }
  const tilth = new ProductProcess(join(folder, 'data'), {}, (failure) => report.failures.push(failure))
  try {
    await writeFile(join(folder, 'events.jsonl'), historyOf(events))
    await tilth.start()
    await sendSteadily(tilth.address, { perSecond, until: afterSeconds(5) }, report.quiet)
    const began = performance.now()
    const importing = tilth.command('import', 'posthog', join(folder, 'events.jsonl'), '--json')
    await sendSteadily(tilth.address, { perSecond, until: importing }, report.beside)
    await importing
    report.importSeconds = Math.round((performance.now() - began) / 1000)
    const { quiet, beside, importSeconds } = report
    print?.(
      `beside an import of ${events} events (${importSeconds} s): ${beside.refused} of ${beside.sent} refused, p99 ${beside.p99Ms} ms, without it ${quiet.p99Ms} ms`,
    )
    return report
  } finally {
    await tilth.killFront('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

const afterSeconds = (seconds: number): Promise<void> =>
  new Promise((resolveLater) => setTimeout(resolveLater, seconds * 1000))
