import { readFileSync } from 'node:fs'

/** The system's figures of a process. Linux has them; elsewhere every one is absent. */
export interface ProcessStats {
  /** The processor time of all threads of the process, since its start. */
  processorMs?: number | undefined
  isStopped?: boolean | undefined
  pressure?: number | undefined
}

/** Linux counts processor time in hundredths of a second for programs, whatever it does inside: times(2). */
const tickMs = 10

export function readProcessStats(pid: number | undefined, system = '/proc'): ProcessStats {
  return { ...parseProcessStat(readTextOrEmpty(`${system}/${pid}/stat`)), pressure: readPressure(system) }
}

/** The fields are those of proc_pid_stat(5), after the name in brackets, which may contain anything. */
function parseProcessStat(stat: string): ProcessStats {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = [Number(fields[11]), Number(fields[12])]
  if (!Number.isFinite(userTicks + systemTicks)) return {}
  return { processorMs: (userTicks + systemTicks) * tickMs, isStopped: /^[Tt]$/.test(fields[0] ?? '') }
}

/** The worst of three, from 0 to 1: https://docs.kernel.org/accounting/psi.html. Absent where the kernel does not count. */
function readPressure(system: string): number | undefined {
  const readings = ['cpu', 'memory', 'io'].flatMap((resource) => {
    const [, percent] = /^some avg10=([\d.]+)/.exec(readTextOrEmpty(`${system}/pressure/${resource}`)) ?? []
    return percent === undefined ? [] : [Number(percent) / 100]
  })
  return readings.length > 0 ? Math.max(...readings) : undefined
}

function readTextOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
