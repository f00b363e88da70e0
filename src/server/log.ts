import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config'

export type Log = Logger

/** Fields that never reach a log. */
const secrets = ['password', 'token', 'secret', 'secretKey', 'authorization', 'cookie', 'setupCode']

interface LogSettings {
  level: LogLevel
  /** Lines for people, or JSON objects for programs. */
  format: 'lines' | 'json'
  destination?: DestinationStream
}

/** Opens the log of a process. It never receives a request's body, a whole address or an unfiltered header. */
export function openLog({ level, format, destination }: LogSettings): Log {
  const out = destination ?? standardOutput()
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: '(secret)' },
    },
    format === 'json' ? out : { write: (line: string) => out.write(readableLine(line)) },
  )
}

/** Synchronous, so that the last lines before an exit are not lost. A closed output does not end the process. */
function standardOutput(): DestinationStream {
  const destination = pino.destination({ fd: 1, sync: true })
  destination.on('error', () => {})
  return destination
}

const colours: Record<string, string> = { debug: '2', info: '36', warn: '33', error: '31', fatal: '31' }

/** Formats `12:03:44 warn  the engine stopped  engine=restarting`, with the stack of an error below. */
function readableLine(json: string): string {
  const entry: LogEntry = JSON.parse(json)
  const { level, time, msg, err, ...rest } = entry
  const clock = new Date(time).toTimeString().slice(0, 8)
  const details = Object.entries(rest).map(([name, value]) => `${name}=${oneLine(value)}`)
  const painted = `\u001B[${colours[level] ?? '0'}m${level.padEnd(5)}\u001B[0m`
  const line = [clock, painted, msg ?? err?.message ?? '', ...details].join(' ')
  return err?.stack ? `${line}\n${err.stack.replaceAll(/^/gm, '  ')}\n` : `${line}\n`
}

interface LogEntry {
  level: string
  time: string
  msg?: string
  err?: { message?: string; stack?: string }
  [detail: string]: unknown
}

const oneLine = (value: unknown): string =>
  typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
