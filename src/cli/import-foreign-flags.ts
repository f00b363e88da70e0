import type { Flags } from '#flags/flags'
import { importTranslated, type TranslatedImportReport } from '#flags/imports/import-translated'
import { type FlagSourceName, readFlags } from '#flags/imports/read-flags'
import { UnreadableFlagsError } from '#flags/imports/translation'
import { operator } from '#projects/access'
import { failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { commandOutput } from './with-product'

export interface ForeignFlags {
  source: FlagSourceName
  json: unknown
  environment: string
  theirEnvironment: string
}

const commandLineViewer = operator('command line')

/** Imports flags of a product with other rules than PostHog's. */
export async function importForeignFlags(
  flags: Pick<Flags, 'list' | 'create'>,
  { id }: Project,
  { source, json, environment, theirEnvironment }: ForeignFlags,
) {
  try {
    const translated = readFlags(source, json, theirEnvironment)
    const report = await importTranslated(flags, id, translated, commandLineViewer, environment)
    if (report.off.length + report.refused.length > 0) process.exitCode = 1
    return commandOutput(report, ...linesOf(report))
  } catch (problem) {
    if (problem instanceof UnreadableFlagsError) return failedOutcome(problem.message)
    throw problem
  }
}

const linesOf = ({ created, off, existing, refused, notes }: TranslatedImportReport): string[] => [
  ...created.map((key) => `made     ${key}`),
  ...off.map(({ key, reasons }) => `off      ${key}: it ${reasons.join('; it ')}.`),
  ...existing.map((key) => `there    ${key}`),
  ...refused.map(({ key, problems }) => `refused  ${key || '(no key)'}: ${problems.join(' ')}`),
  ...notes.map(({ key, note }) => `note     ${key}: ${note}`),
  `${created.length} made, ${off.length} made without their rules and off, ${existing.length} were there already, ${refused.length} refused.`,
]
