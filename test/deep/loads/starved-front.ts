import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ProductProcess } from '../crashlab/product-process'
import { emptyReport, sendSteadily, type SteadyReport } from './small-requests'

/** A reason why the front gets little of the processor: it is stopped most of the time, or others want it too. */
export type Starving = 'stopped for 80 of 100 ms' | 'beside twenty busy processes'

interface StarvedLoad {
  starving: Starving
  seconds: number
  perSecond: number
  print?: (line: string) => void
}

export interface StarvedReport extends SteadyReport {
  failures: string[]
}

/** Sends small requests at a steady rate to a front that gets little of the processor. None of them may be refused. */
export async function sendToStarvedFront({
  starving,
  seconds,
  perSecond,
  print,
}: StarvedLoad): Promise<StarvedReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-loads-'))
  const report: StarvedReport = { failures: [], ...emptyReport() }
  const tilth = new ProductProcess(join(folder, 'data'), {}, (failure) => report.failures.push(failure))
  try {
    await tilth.start()
    const release = starve(tilth, starving)
    try {
      await sendSteadily(tilth.address, { perSecond, until: delay(seconds * 1000) }, report)
    } finally {
      release()
    }
    const { sent, refused, p99Ms, longestMs } = report
    print?.(`${starving}: ${refused} of ${sent} refused, p99 ${p99Ms} ms, longest ${longestMs} ms`)
    return report
  } finally {
    await tilth.killFront('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns what ends it. */
function starve(tilth: ProductProcess, starving: Starving): () => void {
  return starving === 'stopped for 80 of 100 ms' ? stopNowAndThen(tilth) : keepBusy(20)
}

function stopNowAndThen(tilth: ProductProcess): () => void {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    tilth.signal('front', 'SIGSTOP')
    timer = setTimeout(go, 80)
  }
  const go = (): void => {
    tilth.signal('front', 'SIGCONT')
    timer = setTimeout(stop, 20)
  }
  stop()
  return () => {
    clearTimeout(timer)
    tilth.signal('front', 'SIGCONT')
  }
}

function keepBusy(amount: number): () => void {
  const busy: ChildProcess[] = Array.from({ length: amount }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => busy.forEach((one) => one.kill('SIGKILL'))
}
