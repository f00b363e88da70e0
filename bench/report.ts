import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, totalmem } from 'node:os'

const file = 'bench/RESULTS.md'

const preamble = `# What was measured

Absolute figures belong to the machine they were taken on; a **ratio** compares with a bare baseline in the same run and
travels better. Each section is written by the command under its title.
`

export interface Finding {
  what: string
  measured: string
  /** The value that it was compared with, or the expected one. */
  beside?: string
}

/** Prints the findings and puts them in the place of the same bench's earlier ones. */
export function report(
  name: string,
  title: string,
  findings: readonly Finding[],
  remarks: readonly string[] = [],
): void {
  const section = [
    `## ${title}`,
    '',
    `\`npm run bench -- ${name}\` · ${machine()}`,
    '',
    '| what | measured | beside |',
    '|---|---|---|',
    ...findings.map(({ what, measured, beside = '' }) => `| ${what} | ${measured} | ${beside} |`),
    '',
    ...[...remarks, howBusy()].flatMap((remark) => [remark, '']),
  ].join('\n')
  process.stdout.write(`\n${section}\n`)
  writeFileSync(file, replaced(existsSync(file) ? readFileSync(file, 'utf8') : preamble, name, section))
}

function replaced(text: string, name: string, section: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const block = `${begin}\n${section}\n${end}\n`
  const from = text.indexOf(begin)
  return from < 0
    ? `${text}\n${block}`
    : text.slice(0, from) + block + text.slice(text.indexOf(end) + end.length + 1)
}

/** Other work on the same cores takes its share of both sides of a ratio, and more of the side that needs more. */
const howBusy = (): string =>
  `Load average of the machine in the last quarter of an hour, this bench included: ${loadavg().at(2)?.toFixed(1)}.`

function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const day = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${availableParallelism()} cores, ${memory} GB, Node ${process.versions.node}, ${day}, after ${commit}`
}

export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`
