import { setTimeout as pause } from 'node:timers/promises'
import { historyCounts, type HistoryCounts } from '#moves/history/history-counts'
import { moveEntries } from '#moves/entries/move-entries'
import { type EntryKind, entryKinds, type EntryReport } from '#moves/entries/entry-report'
import { PosthogClient, PosthogError } from '#moves/posthog-client'
import { emptyAllowlist, parseAllowlist } from '#outbound/allowlist'
import { Outbound } from '#outbound/outbound'
import { operator } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import { readConfig } from '#server/config'
import type { Product } from '#server/product'
import type { Importing } from './import'
import type { PosthogOptions } from './import-posthog'
import type { HistoryPull } from './pull-posthog-history'
import { projectNamed } from './run-query'
import { commandOutput } from './with-product'

interface PosthogImport extends Omit<PosthogOptions, 'until'> {
  until: Date | undefined
  key: string
}

const commandLineViewer = operator('command line')

/** Entries come before the history: they are few, and a site can be switched with them. */
export async function runPosthogImport(product: Product, asked: PosthogImport, importing: Importing) {
  const found = projectNamed(product, asked.project)
  if (!found.done) return found
  const parts = partsIn(asked.only)
  if (!parts.done) return parts
  const say = (line: string) => void (asked.json || process.stderr.write(`${line}\n`))
  const client = clientFor(asked, say)
  const { project } = found
  try {
    const kinds = entryKinds.filter((kind) => parts.names.has(kind))
    const isPreview = asked.preview === true
    const entries = await moveEntries(product, {
      client,
      project,
      kinds,
      isPreview,
      viewer: commandLineViewer,
      now: new Date(),
    })
    const lines = linesOf(entries, isPreview)
    if (!parts.names.has('history')) return commandOutput({ entries }, ...lines)
    if (isPreview) return await previewed(client, asked, entries, lines)
    for (const line of lines) say(line)
    const { pullHistory } = await import('./pull-posthog-history')
    const pull: HistoryPull = { client, until: asked.until, way: asked.by, pause: (ms) => pause(ms), say }
    return await importing.onRunning(product, asked, async (call) => {
      const outcome = await pullHistory(call, project, pull)
      if (!outcome.done) return outcome
      const json = { entries, import: outcome.import, missing: outcome.missing }
      return commandOutput(json, ...importing.summaryOf(outcome.import), ...missingLine(outcome.missing))
    })
  } catch (problem) {
    if (problem instanceof PosthogError) return failedOutcome(problem.message)
    throw problem
  }
}

function clientFor({ from = '', posthogProject = '', key }: PosthogImport, say: (line: string) => void) {
  const reading = readConfig(process.env)
  const allow = reading.readable ? reading.config.outboundAllow : undefined
  return new PosthogClient({
    outbound: new Outbound({ allowlist: parseAllowlist(allow ?? '') ?? emptyAllowlist }),
    origin: new URL(from).origin,
    project: posthogProject,
    key,
    pause: (ms) => pause(ms),
    say,
  })
}

const parts = ['history', ...entryKinds] as const

function partsIn(text: string | undefined): Outcome<{ names: ReadonlySet<string> }> {
  const named = text === undefined ? parts : text.split(',').map((part) => part.trim())
  const unknown = named.find((part) => !parts.some((known) => known === part))
  return unknown === undefined
    ? { done: true, names: new Set(named) }
    : failedOutcome(`There is no part “${unknown}”. Name some of ${parts.join(', ')}.`)
}

async function previewed(
  client: PosthogClient,
  { until }: PosthogImport,
  entries: EntryReport,
  lines: readonly string[],
) {
  const counts = await historyCounts(client, until ?? new Date())
  return commandOutput({ entries, history: counts }, ...lines, '', ...countLines(counts))
}

const namesShown = 10
const inFigures = (amount: number): string => amount.toLocaleString('en')

const countLines = ({ events, distinctIds, firstAt, lastAt, names }: HistoryCounts): string[] => [
  `${inFigures(events)} events${firstAt && lastAt ? ` from ${firstAt} to ${lastAt}` : ''}, and ${inFigures(distinctIds)} distinct ids of persons.`,
  `Events, by name (${inFigures(Math.min(names.length, namesShown))} of ${inFigures(names.length)}):`,
  ...names
    .slice(0, namesShown)
    .map(({ name, events: amount }) => `  ${inFigures(amount).padStart(12)}  ${name}`),
  '',
  'Nothing was changed. Recordings, heatmaps, and blocked pages, hosts and countries of the project are left out of its events.',
]

const missingLine = (missing: number): string[] =>
  missing === 0
    ? []
    : [
        `PostHog counts ${inFigures(missing)} events more: its files leave out those that it got days after they happened.`,
        'Import them with --by sql; what is here stays as it is.',
      ]

const kindWords: Readonly<Record<EntryKind, string>> = {
  cohorts: 'cohort',
  flags: 'flag',
  insights: 'insight',
  surveys: 'survey',
  experiments: 'experiment',
}

function linesOf({ made, there, leftOut, notes }: EntryReport, isPreview: boolean): string[] {
  const would = isPreview ? 'would be ' : ''
  return [
    ...made.map(({ kind, name }) => `made      ${kindWords[kind]} ${name}`),
    ...there.map(({ kind, name }) => `there     ${kindWords[kind]} ${name}`),
    ...leftOut.map(({ kind, name, why }) => `left out  ${kindWords[kind]} ${name}: ${why}`),
    ...notes.map(({ kind, name, why }) => `note      ${kindWords[kind]} ${name}: ${why}`),
    `${made.length} ${would}made, ${there.length} were there already, ${leftOut.length} left out.`,
  ]
}
