import { operator } from '#projects/access'
import { failedOutcome, type InputProblem, type Outcome } from '#projects/problems'
import type { Product } from '#server/product'
import { configurationText, readConfiguration, storedConfiguration } from './configuration-file'
import { applied, type FieldDifference, planned, type PlannedDefinition } from './plan'
import type { Section } from './section'
import { sections } from './sections'

const viewer = operator('command line')

/** Returns a project's definitions as the text of a file. */
export async function pulledConfiguration(
  product: Product,
  projectId: number,
): Promise<Outcome<{ text: string; leftOut: string[] }>> {
  const read = await storedConfiguration({ product, projectId, viewer })
  return read.done ? { done: true, ...configurationText(read.stored) } : read
}

interface ApplyOptions {
  /** Removes or archives what the sections of the file do not have. */
  prune?: boolean | undefined
  /** Shows the difference, and returns whether it is to be written. */
  confirm: (difference: readonly string[]) => Promise<'write' | 'show' | 'cancel'>
}

/** The outcome of a file, as programs read it. */
interface AppliedConfiguration {
  created: string[]
  changed: { entry: string; fields: FieldDifference[] }[]
  removed: string[]
  unchanged: number
  /** In the project and not in the file. */
  left: string[]
  written: boolean
}

/** Compares a file with a project, shows the difference and writes it. A file with a mistake changes nothing. */
export async function applyConfiguration(
  product: Product,
  projectId: number,
  text: string,
  { prune, confirm }: ApplyOptions,
): Promise<Outcome<{ result: AppliedConfiguration }>> {
  const context = { product, projectId, viewer }
  const file = readConfiguration(text)
  if (!file.done) return withPlaces(file.problems)
  const read = await storedConfiguration(context)
  if (!read.done) return withPlaces(read.problems)
  const compared = planned(file.configuration, read.stored, { prune: prune ?? false })
  if (!compared.done) return withPlaces(compared.problems)
  const { plan } = compared
  const result = resultOf(plan)
  if (!plan.some(isWritten)) return { done: true, result }
  const decision = await confirm(differenceLines(plan))
  if (decision === 'cancel') return failedOutcome('Nothing was changed.')
  if (decision === 'show') return { done: true, result }
  const outcome = await applied(plan, read.stored, context)
  if (outcome.done) return { done: true, result: { ...result, written: true } }
  const { problems } = withPlaces(outcome.problems)
  return {
    done: false,
    problems: [
      ...problems,
      { field: undefined, message: 'Everything else is written. Run the same command again for the rest.' },
    ],
  }
}

const isWritten = ({ verb }: PlannedDefinition): boolean =>
  verb === 'create' || verb === 'change' || verb === 'remove'

const withPlaces = (problems: readonly InputProblem[]) => ({
  done: false as const,
  problems: problems.map(({ field, message }) => ({
    field,
    message: field === undefined ? message : `${field}: ${message}`,
  })),
})

function nameOf({ section: name, key }: PlannedDefinition): string {
  const section: Section = sections[name]
  return section.isSingle ? name : `${section.noun} “${key}”`
}

const ofVerb = (plan: readonly PlannedDefinition[], verb: PlannedDefinition['verb']): string[] =>
  plan.filter((one) => one.verb === verb).map(nameOf)

const resultOf = (plan: readonly PlannedDefinition[]): AppliedConfiguration => ({
  created: ofVerb(plan, 'create'),
  changed: plan.flatMap((one) =>
    one.verb === 'change' ? [{ entry: nameOf(one), fields: one.differences }] : [],
  ),
  removed: ofVerb(plan, 'remove'),
  unchanged: ofVerb(plan, 'keep').length,
  left: ofVerb(plan, 'leave'),
  written: false,
})

function differenceLines(plan: readonly PlannedDefinition[]): string[] {
  const { unchanged, left } = resultOf(plan)
  return [
    ...ofVerb(plan, 'create').map((name) => `+ ${name}`),
    ...plan.flatMap((one) =>
      one.verb === 'change' ? [`~ ${nameOf(one)}`, ...one.differences.map(fieldLine)] : [],
    ),
    ...ofVerb(plan, 'remove').map((name) => `- ${name}`),
    `${unchanged} unchanged.`,
    ...(left.length > 0 ? [`In the project alone, and kept: ${left.join(', ')}.`] : []),
  ]
}

const longestValue = 160

const fieldLine = ({ field, before, after }: FieldDifference): string =>
  `    ${field}: ${valueText(before)} → ${valueText(after)}`

function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}
