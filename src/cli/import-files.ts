import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { UnreadableFileError } from '#imports/files/limits'
import { fileSize } from '#imports/files/read-rows'
import { fingerprintOf, importName, inReadingOrder } from '#imports/import-files'
import type { Portion } from '#imports/portions'
import { eachAhead } from '#imports/reading/reading'
import { readPortions } from '#imports/recognised-portions'
import { type ImportSourceName, importSources } from '#imports/sources/sources'
import { ConnectionLostError } from '#outbound/local-server'
import { type Outcome, failedOutcome } from '#projects/problems'
import type { Project } from '#projects/project'
import type { LocalCall } from './call-running-tilth'
import { callImports, type ImportAnswer } from './call-imports'

export interface ImportRequest {
  source: ImportSourceName
  files: readonly string[]
  until: Date | undefined
}

/** The files in the order in which they are read. */
export const inOrder = ({ files, source }: Pick<ImportRequest, 'files' | 'source'>): string[] =>
  inReadingOrder(
    files.map((path) => ({ path, name: basename(path) })),
    importSources[source],
  ).map(({ path }) => path)

/** Sends the rows of files to the Tilth that runs, from where an earlier run was interrupted. */
export async function importFiles(
  call: LocalCall,
  project: Project,
  request: ImportRequest,
  say: (line: string) => void,
): Promise<Outcome<{ import: ImportAnswer }>> {
  let current: ImportAnswer | undefined
  try {
    const outcome = await begin(call, project, request)
    if (!outcome.done) return outcome
    current = outcome.import
    if (current.rows > 0)
      say(`The import ${current.id} continues after ${current.rows.toLocaleString('en')} rows.`)
    const settings = { ...settingsOf(request), skip: current.rows }
    let failed: Outcome<never> | undefined
    await readPortions(inOrder(request), settings, (portions) =>
      eachAhead(portions, async (portion) => {
        const before = current?.rows ?? 0
        const added = await send(call, project, outcome.import, before, portion)
        if (!added.done) {
          failed = added
          return 'over'
        }
        if (isRound(before, added.import.rows)) say(progressOf(added.import))
        current = added.import
        return 'go on'
      }),
    )
    if (failed) return failed
    const ended = await callImports(call, project, `/${outcome.import.id}/end`, {})
    return ended.done ? await settled(call, project, ended.import, ['done']) : ended
  } catch (problem) {
    const isEmpty = current?.rows === 0 && problem instanceof UnreadableFileError
    return isEmpty ? await undoEmpty(call, project, problem, current) : interrupted(problem, current)
  }
}

/** Ends an import of files that hold nothing of it, so that the list does not show it as one that can continue. */
async function undoEmpty(
  call: LocalCall,
  project: Project,
  { message }: UnreadableFileError,
  current: ImportAnswer | undefined,
): Promise<Outcome<never>> {
  if (current) await callImports(call, project, `/${current.id}`, undefined, 'DELETE')
  return failedOutcome(`${message} Nothing is imported.`)
}

async function begin(
  call: LocalCall,
  project: Project,
  request: ImportRequest,
): Promise<Outcome<{ import: ImportAnswer }>> {
  const files = await Promise.all(
    inOrder(request).map(async (path) => ({ name: basename(path), bytes: await fileSize(path) })),
  )
  return await callImports(call, project, '', {
    source: request.source,
    name: importName(files),
    fingerprint: fingerprintOf(request.source, files),
    until: request.until?.toISOString(),
  })
}

export const settingsOf = ({ source, until }: Pick<ImportRequest, 'source' | 'until'>) => ({
  source: importSources[source],
  until,
  now: new Date(),
})

/** Sends a portion, once more where Tilth is busy. */
export async function send(
  call: LocalCall,
  project: Project,
  { id }: ImportAnswer,
  from: number,
  portion: Portion & { cursor?: string },
): Promise<Outcome<{ import: ImportAnswer }>> {
  for (;;) {
    const added = await callImports(call, project, `/${id}/events`, { from, ...portion })
    if (!added.done || added.retryAfterSeconds === undefined) return added
    await pause(added.retryAfterSeconds * 1000)
  }
}

const settleWithinMs = 10 * 60_000

/** Waits until the front has done what was asked of it. */
export async function settled(
  call: LocalCall,
  project: Project,
  { id }: Pick<ImportAnswer, 'id'>,
  states: readonly string[],
): Promise<Outcome<{ import: ImportAnswer }>> {
  const endsAt = performance.now() + settleWithinMs
  for (;;) {
    const found = await callImports(call, project, `/${id}`)
    if (!found.done || states.includes(found.import.state) || performance.now() > endsAt) return found
    await pause(200)
  }
}

function interrupted(problem: unknown, current: ImportAnswer | undefined): Outcome<never> {
  if (problem instanceof UnreadableFileError || problem instanceof ConnectionLostError)
    return interruptedBy(problem.message, current)
  throw problem
}

export function interruptedBy(message: string, current: ImportAnswer | undefined): Outcome<never> {
  if (!current) return failedOutcome(message)
  return failedOutcome(
    `${message} ${current.rows.toLocaleString('en')} rows are imported, which is not all. Run the same command ` +
      `again to continue, or undo what is there: tilth import undo ${current.id}`,
  )
}

const roundRows = 10_000

const isRound = (before: number, after: number): boolean =>
  Math.floor(before / roundRows) < Math.floor(after / roundRows)

const progressOf = ({ rows, kept }: ImportAnswer): string =>
  `${rows.toLocaleString('en')} rows read, ${kept.toLocaleString('en')} events`
