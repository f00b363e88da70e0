import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The time of the work below on the machine that the limits of the tests were chosen on, without other load. */
const referenceMs = 600

/** No machine is given less than the limits, and none so much that what hangs is not noticed. */
const [least, most] = [1, 5]

/** Measures the slowness of this machine now: starts an engine, which counts, and makes and reads a long text. */
export function measureSlowness(root) {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-slowness-'))
  try {
    const began = performance.now()
    const { status } = spawnSync(process.execPath, ['-e', work, folder], { cwd: root, stdio: 'ignore' })
    if (status !== 0) return least // the tests say what is wrong with the engine
    const slowness = (performance.now() - began) / referenceMs
    return Math.min(most, Math.max(least, Math.round(slowness * 10) / 10))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const work = `
  const { Session } = require('chdb')
  new Session(process.argv[1]).query('select sum(sipHash64(number)) from numbers(10000000)')
  const rows = Array.from({ length: 200000 }, (_, number) => ({ number, name: 'row ' + number }))
  JSON.parse(JSON.stringify(rows)).sort((one, other) => other.name < one.name ? -1 : 1)
`
