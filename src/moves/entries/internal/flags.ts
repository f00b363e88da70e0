import { mainEnvironment } from '#flags/flag'
import { readPosthogFlags } from '#flags/flag-import'
import { type EntryMove, messagesOf, textIn, type TheirEntry } from './entry-move'
import { withOurCohorts } from './our-cohorts'

/** Imports flags whose keys are free, with their hashing: who gets which variant stays as it is. */
export async function moveFlags(move: EntryMove): Promise<void> {
  const { client, product, project, viewer, report } = move
  const all = (await client.list('feature_flags/')).filter((one) => one['deleted'] !== true)
  const here = new Set((await product.flags.list(project.id, viewer)).map(({ key }) => key))
  const leaveOut = (name: string, why: string) => void report.leftOut.push({ kind: 'flags', name, why })
  const wanted: TheirEntry[] = []
  for (const flag of withKeys(all)) {
    const key = textIn(flag, 'key')
    const ours = withOurCohorts(flag, move.cohortIds)
    if (key.startsWith('survey-targeting-'))
      leaveOut(key, 'It belongs to a survey, which makes its own here.')
    else if (here.has(key)) report.there.push({ kind: 'flags', name: key })
    else if (!ours.done) leaveOut(key, messagesOf(ours))
    else wanted.push(ours.value)
  }
  if (wanted.length > 0) await importFlags(move, wanted)
}

async function importFlags(
  { product, project, viewer, report, groupTypes, isPreview }: EntryMove,
  flags: readonly TheirEntry[],
): Promise<void> {
  const json = { results: flags, group_type_mapping: groupTypes }
  const outcome = isPreview ? previewOf(json) : await product.flags.importFrom(project.id, json, viewer)
  if (!outcome.done) {
    report.leftOut.push({ kind: 'flags', name: '(all)', why: messagesOf(outcome) })
    return
  }
  const secretKeys = new Set(
    flags.filter((flag) => flag['has_encrypted_payloads'] === true).map((flag) => textIn(flag, 'key')),
  )
  for (const name of outcome.created) report.made.push({ kind: 'flags', name })
  for (const refused of outcome.refused)
    report.leftOut.push({ kind: 'flags', name: refused.key || '(no key)', why: messagesOf(refused) })
  for (const name of outcome.created)
    if (secretKeys.has(name)) report.notes.push({ kind: 'flags', name, why: secretNote })
  for (const { key, sentences } of outcome.remarks)
    report.notes.push({ kind: 'flags', name: key, why: sentences.join(' ') })
}

const secretNote = 'Its payload is secret, and PostHog does not give it. Enter it here.'

/** Previews the import without writing: flags that need each other are not looked at together. */
function previewOf(json: unknown) {
  const read = readPosthogFlags(json, mainEnvironment)
  if (!read.done) return read
  const created = read.flags.map(({ flag }) => flag.key)
  return { done: true as const, created, refused: read.refused, remarks: read.remarks }
}

/** A condition on another flag names its number in PostHog, and its key here. */
function withKeys(flags: readonly TheirEntry[]): TheirEntry[] {
  const keys = new Map(flags.map((flag) => [String(flag['id']), textIn(flag, 'key')]))
  // `renamed` keeps objects objects
  return flags.map((flag) => renamed(flag, keys) as TheirEntry)
}

function renamed(given: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => renamed(one, keys))
  if (typeof given !== 'object' || given === null) return given
  if ('type' in given && given.type === 'flag' && 'key' in given)
    return { ...given, key: keys.get(String(given.key)) ?? given.key }
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, renamed(one, keys)]))
}
