import type { Viewer } from '#projects/access'
import { mainEnvironment } from '../flag'
import type { Flags } from '../flags'
import type { TranslatedFlag } from './translation'

export interface TranslatedImportReport {
  /** Keys of flags whose rules are here. */
  created: string[]
  /** Flags that are here without their rules, and off. */
  off: { key: string; reasons: string[] }[]
  /** Flags whose keys are taken: they are as they were. */
  existing: string[]
  refused: { key: string; problems: string[] }[]
  notes: { key: string; note: string }[]
}

/**
 * Creates flags of another product. One whose rules have no exact counterpart is created off, with the reason as its
 * description; so is one that requires such a flag.
 */
export async function importTranslated(
  flags: Pick<Flags, 'list' | 'create'>,
  projectId: number,
  translated: readonly TranslatedFlag[],
  viewer: Viewer,
  environment: string = mainEnvironment,
): Promise<TranslatedImportReport> {
  const report: TranslatedImportReport = { created: [], off: [], existing: [], refused: [], notes: [] }
  const known = new Set((await flags.list(projectId, viewer)).map(({ key }) => key))
  const lost = new Set<string>()
  for (const flag of inOrder(translated)) {
    if (known.has(flag.key)) {
      report.existing.push(flag.key)
      continue
    }
    const created = await create(withRequirements(flag, lost))
    if (created.reasons.length > 0) lost.add(flag.key)
  }
  return report

  /** Returns the flag as it was created. */
  async function create(flag: TranslatedFlag): Promise<TranslatedFlag> {
    const outcome = await flags.create(projectId, inputOf(flag, environment), viewer)
    if (outcome.done) {
      noteCreated(report, flag)
      return flag
    }
    const problems = outcome.problems.map(({ message }) => message)
    // a rule that flags refuse, such as a pattern that looks ahead
    if (flag.reasons.length === 0)
      return await create(withoutRules(flag, [`has a rule that is refused: ${problems.join(' ')}`]))
    report.refused.push({ key: flag.key, problems })
    return flag
  }
}

function noteCreated(report: TranslatedImportReport, flag: TranslatedFlag): void {
  if (flag.reasons.length > 0) report.off.push({ key: flag.key, reasons: [...flag.reasons] })
  else report.created.push(flag.key)
  for (const note of flag.notes) report.notes.push({ key: flag.key, note })
}

const withoutRules = (flag: TranslatedFlag, reasons: readonly string[]): TranslatedFlag => ({
  ...flag,
  kind: 'switch',
  variants: [],
  payloads: {},
  isOn: false,
  conditions: [],
  reasons,
  notes: [],
})

const requiredBy = ({ conditions }: TranslatedFlag): string[] =>
  conditions.flatMap((set) => set.conditions.flatMap((one) => (one.type === 'flag' ? [one.flag] : [])))

/** A flag whose requirement lost its rules would decide otherwise than before. */
function withRequirements(flag: TranslatedFlag, lost: ReadonlySet<string>): TranslatedFlag {
  const missing = requiredBy(flag).find((key) => lost.has(key))
  return missing === undefined
    ? flag
    : withoutRules(flag, [`requires “${missing}”, which is imported without its rules`])
}

/** Required flags come first. Flags that require each other stay in their order, and are refused. */
function inOrder(all: readonly TranslatedFlag[]): readonly TranslatedFlag[] {
  const placed = new Set<string>()
  const ordered: TranslatedFlag[] = []
  for (let before = -1; before !== ordered.length;) {
    before = ordered.length
    for (const flag of all) {
      if (placed.has(flag.key) || !requiredBy(flag).every((key) => placed.has(key))) continue
      placed.add(flag.key)
      ordered.push(flag)
    }
  }
  return [...ordered, ...all.filter(({ key }) => !placed.has(key))]
}

function inputOf(flag: TranslatedFlag, environment: string) {
  const { key, description, tags, kind, variants, payloads, isOn, conditions, reasons } = flag
  const reason = reasons.length > 0 ? `Imported without its rules: it ${reasons.join('; it ')}.` : ''
  return {
    key,
    description: [description, reason].filter(Boolean).join(' ').slice(0, 1000),
    tags: tags.map((tag) => tag.trim().slice(0, 100)).filter(Boolean),
    kind,
    variants,
    payloads,
    environments: { [environment]: { isOn, conditions } },
  }
}
