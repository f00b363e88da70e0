import type { AnswerKind, AnswerSpec, VersionSpec } from '../schema'

/**
 * One question as one kind and scale. A question whose kind or scale was changed is two of these: answers on different
 * scales are not added up.
 */
export interface PlannedQuestion {
  id: string
  kind: AnswerKind
  least: number | undefined
  most: number | undefined
  /** The versions that are read so, counted from 1. */
  versions: number[]
  /** The position in which old SDKs send the answer, by version from 1; undefined where none is. */
  positions: ReadonlyMap<number, number>
  /** The choices of all versions. A choice's code is its index here, from 1. */
  choices: string[]
  /** The latest texts of the choices in the survey's own language; the id of one without a text. */
  choiceTexts: string[]
  rows: string[]
  columns: string[]
  /** Codes of texts that mean the same in each version and language. */
  common: ReadonlyMap<string, number>
  /** Codes of the other texts, by `slot:text`. */
  slotted: ReadonlyMap<string, number>
  /** The code of a text that is no choice's, by version; 0 where the version has no choice for it. */
  others: number[]
}

export interface ReadingPlan {
  /** The versions by age; a version's place counts from 1. */
  versions: readonly VersionSpec[]
  /** Language tags, lower-case; a tag's index counts from 1, and 0 is the survey's own language. */
  languages: string[]
  questions: PlannedQuestion[]
}

/** A version and a language as one number. */
export const slotOf = (version: number, language: number, { languages }: Pick<ReadingPlan, 'languages'>) =>
  version * (languages.length + 1) + language

export function readingPlan(versions: readonly VersionSpec[]): ReadingPlan {
  const languages = languagesOf(versions)
  const ids = [...new Set(versions.flatMap(({ questions }) => questions.map(({ id }) => id)))]
  const planned = ids.flatMap((id) => {
    const specs = specsByVersion(id, versions)
    return [...Map.groupBy(specs.entries(), ([, { spec }]) => shapeOf(spec))].map(([, entries]) =>
      plannedQuestion(entries, languages, versions.length),
    )
  })
  const questions = planned.filter(({ kind }) => kind !== 'statement')
  return { versions, languages, questions: questions.toSorted(byPosition) }
}

const languagesOf = (versions: readonly VersionSpec[]): string[] => {
  const tags = versions.flatMap(({ questions }) => questions.flatMap(({ texts = {} }) => Object.keys(texts)))
  return [...new Set(tags.map((tag) => tag.toLowerCase()))].filter((tag) => tag !== '').toSorted()
}

interface SpecOfVersion {
  spec: AnswerSpec
  /** Undefined where the version does not have the question: an open tab may still answer it. */
  position: number | undefined
}

/** The question in each version; where a version lacks it, as in the nearest earlier one, or else the nearest later one. */
function specsByVersion(id: string, versions: readonly VersionSpec[]): Map<number, SpecOfVersion> {
  const own = versions.map(({ questions }) => {
    const position = questions.findIndex((question) => question.id === id)
    const spec = questions[position]
    return spec && { spec, position }
  })
  const specs = new Map<number, SpecOfVersion>()
  own.forEach((found, i) => {
    const nearest = found ?? own.slice(0, i).findLast(Boolean) ?? own.slice(i).find(Boolean)
    if (nearest) specs.set(i + 1, { spec: nearest.spec, position: found?.position })
  })
  return specs
}

const shapeOf = ({ kind, least, most }: AnswerSpec): string => [kind, least, most].join(' ')

function plannedQuestion(
  entries: readonly [number, SpecOfVersion][],
  languages: readonly string[],
  versionCount: number,
): PlannedQuestion {
  const newestFirst = entries.toReversed().map(([, { spec }]) => spec)
  const { id = '', kind = 'open', least, most } = newestFirst[0] ?? {}
  const union = (of: (spec: AnswerSpec) => readonly string[] | undefined) => [
    ...new Set(newestFirst.flatMap((spec) => of(spec) ?? [])),
  ]
  const choices = union((spec) => spec.choices)
  const others = Array.from({ length: versionCount }, () => 0)
  for (const [version, { spec }] of entries)
    if (spec.hasOther) others[version - 1] = choices.indexOf(spec.choices?.at(-1) ?? '') + 1
  return {
    id,
    kind,
    least,
    most,
    versions: entries.map(([version]) => version),
    positions: new Map(
      entries.flatMap(([version, { position }]) => (position === undefined ? [] : [[version, position]])),
    ),
    choices,
    choiceTexts: choices.map((choice) => textOfChoice(choice, newestFirst)),
    rows: union((spec) => spec.rows),
    columns: union((spec) => spec.columns),
    ...textCodes(entries, choices, languages),
    others,
  }
}

function textOfChoice(choice: string, newestFirst: readonly AnswerSpec[]): string {
  const spec = newestFirst.find(({ choices = [] }) => choices.includes(choice))
  return spec?.texts?.['']?.[spec.choices?.indexOf(choice) ?? -1] ?? choice
}

/** Returns each text's code by version and language. Most texts mean the same everywhere; one list has them. */
function textCodes(
  entries: readonly [number, SpecOfVersion][],
  choices: readonly string[],
  languages: readonly string[],
): Pick<PlannedQuestion, 'common' | 'slotted'> {
  const tables = entries.map(([version, { spec }]) => ({ version, byLanguage: tablesOf(spec, choices) }))
  const texts = new Set(
    tables.flatMap(({ byLanguage }) => [...byLanguage.values()].flatMap((table) => [...table.keys()])),
  )
  const common = new Map<string, number>()
  const slotted = new Map<string, number>()
  for (const text of texts) {
    const codes = tables.flatMap(({ version }, at) =>
      ['', ...languages].map((language, index) => ({
        slot: slotOf(version, index, { languages: [...languages] }),
        code: codeOf(
          text,
          language,
          tables.map(({ byLanguage }) => byLanguage),
          at,
        ),
      })),
    )
    const [first] = codes
    if (first && codes.every(({ code }) => code === first.code)) common.set(text, first.code)
    else for (const { slot, code } of codes) slotted.set(`${slot}:${text}`, code)
  }
  return { common, slotted }
}

type TextTable = ReadonlyMap<string, number>

/** The codes of a version's texts, by language. Of two choices with the same text the first counts. */
function tablesOf(
  { choices: ids = [], texts = {} }: AnswerSpec,
  choices: readonly string[],
): Map<string, TextTable> {
  return new Map(
    Object.entries(texts).map(([language, list]) => {
      const table = new Map<string, number>()
      list.forEach((text, i) => {
        const code = choices.indexOf(ids[i] ?? '') + 1
        if (code > 0 && !table.has(text)) table.set(text, code)
      })
      return [language.toLowerCase(), table]
    }),
  )
}

/**
 * Looks a text up in its version first, then in earlier ones from the nearest and in later ones: a page that was opened
 * before a change still sends the texts it shows. Within a version, its language goes first, then the language without
 * the region, the survey's own and all others.
 */
function codeOf(
  text: string,
  language: string,
  versions: readonly ReadonlyMap<string, TextTable>[],
  at: number,
): number {
  const order = [...versions.slice(0, at + 1).toReversed(), ...versions.slice(at + 1)]
  for (const tables of order) {
    const wanted = [language, language.split('-')[0] ?? '', '']
    const languages = [...wanted, ...[...tables.keys()].toSorted()]
    for (const tag of languages) {
      const code = tables.get(tag)?.get(text)
      if (code !== undefined) return code
    }
  }
  return 0
}

/** Sorts questions as a reader meets them: by the position in the latest version that has them. */
function byPosition(one: PlannedQuestion, other: PlannedQuestion): number {
  const [first, second] = [lastPosition(one), lastPosition(other)]
  return first.position - second.position || second.version - first.version
}

function lastPosition({ positions }: PlannedQuestion): { version: number; position: number } {
  const [version, position] = [...positions].at(-1) ?? [0, 0]
  return { version, position }
}
