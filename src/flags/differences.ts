import {
  type ConditionSet,
  type EarlyAccess,
  type EditableFlag,
  editablePartOf,
  emptySetting,
  type Flag,
  type FlagSetting,
} from './flag'
import { type ConditionLabels, setInWords, percentText } from './words'

/** Describes the changes between two versions, a sentence for each part. */
export function differences(before: EditableFlag, after: EditableFlag, names: ConditionLabels): string[] {
  return [
    ...plainDifferences(editablePartOf(before), editablePartOf(after)),
    ...variantDifferences(before, after),
    ...payloadDifferences(before.payloads, after.payloads, ''),
    ...environmentDifferences(before, after, names),
  ]
}

interface PlainPart {
  label: string
  words: (flag: EditableFlag) => string
}

/** The parts that have a single value, as the studio calls them. */
const plainParts: { [Part in keyof EditableFlag]?: PlainPart } = {
  description: { label: 'Description', words: ({ description }) => quoted(description) },
  tags: { label: 'Tags', words: ({ tags }) => listed(tags) },
  owner: { label: 'Owner', words: ({ owner }) => quoted(owner) },
  kind: { label: 'Type', words: ({ kind }) => kind },
  isSecret: { label: 'Secret', words: ({ isSecret }) => yesOrNo(isSecret) },
  bucketBy: {
    label: 'Bucket by',
    words: ({ bucketBy }) => (bucketBy.by === 'group' ? bucketBy.group : bucketBy.by),
  },
  keepsThroughSignIn: {
    label: 'Persist across login',
    words: ({ keepsThroughSignIn }) => yesOrNo(keepsThroughSignIn),
  },
  servedTo: { label: 'Evaluation runtime', words: ({ servedTo }) => servedTo },
  contexts: { label: 'Contexts', words: ({ contexts }) => listed(contexts) },
  earlyAccess: { label: 'Early access', words: ({ earlyAccess }) => earlyAccessWords(earlyAccess) },
}

/** The parts that are described by more than one line. */
const manyLines: readonly string[] = ['variants', 'payloads', 'environments'] satisfies (keyof EditableFlag)[]

function plainDifferences(before: EditableFlag, after: EditableFlag): string[] {
  const parts = new Set([...Object.keys(plainParts), ...Object.keys(before), ...Object.keys(after)])
  return [...parts]
    .filter((part) => !manyLines.includes(part))
    .flatMap((part) => {
      const { label, words } =
        plainParts[part as keyof EditableFlag] ?? unnamedPart(part as keyof EditableFlag)
      return changeLine(label, words(before), words(after))
    })
}

/** A part without words of its own is described by its name in code and its value. */
const unnamedPart = (part: keyof EditableFlag): PlainPart => ({
  label: part,
  words: (flag) => JSON.stringify(flag[part]) ?? 'nothing',
})

const changeLine = (label: string, was: string, is: string): string[] =>
  was === is ? [] : [`${label}: ${was} → ${is}`]

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text}”`)
const listed = (texts: readonly string[]): string => texts.join(', ') || 'none'
const yesOrNo = (answer: boolean): string => (answer ? 'yes' : 'no')

const earlyAccessWords = (access: EarlyAccess | undefined): string =>
  access
    ? [access.name, access.stage, access.description, access.documentationUrl].filter(Boolean).join(', ')
    : 'none'

function variantDifferences(before: EditableFlag, after: EditableFlag): string[] {
  const keys = new Set([...before.variants, ...after.variants].map(({ key }) => key))
  const found = [...keys].flatMap((key) => {
    const was = before.variants.find((one) => one.key === key)
    const is = after.variants.find((one) => one.key === key)
    if (!was) return is ? [`Variant ${key} added, ${percentText(is.percentage)}`] : []
    if (!is) return [`Variant ${key} removed`]
    return [
      ...changeLine(`Variant ${key}`, percentText(was.percentage), percentText(is.percentage)),
      ...changeLine(`Name of variant ${key}`, quoted(was.name), quoted(is.name)),
    ]
  })
  const order = (flag: EditableFlag) => flag.variants.map(({ key }) => key).join()
  return found.length === 0 && order(before) !== order(after) ? ['Variants reordered'] : found
}

function payloadDifferences(before: Flag['payloads'], after: Flag['payloads'], where: string): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const label = `${where}Value of ${key === 'true' ? 'on' : key}`
    return changeLine(label, before[key] ?? 'nothing', after[key] ?? 'nothing')
  })
}

function environmentDifferences(before: EditableFlag, after: EditableFlag, names: ConditionLabels): string[] {
  const all = new Set([...Object.keys(before.environments), ...Object.keys(after.environments)])
  return [...all].flatMap((name) =>
    settingDifferences(
      before.environments[name] ?? emptySetting,
      after.environments[name] ?? emptySetting,
      names,
    ).map((line) => `${name}: ${line}`),
  )
}

/** Describes the changes from one setting to another. */
export function settingDifferences(
  before: FlagSetting,
  after: FlagSetting,
  names: ConditionLabels,
): string[] {
  const holdout = ({ holdout: one }: FlagSetting) =>
    one ? `${percentText(one.percentage)} held out` : 'nobody'
  return [
    ...(before.isOn === after.isOn ? [] : [after.isOn ? 'turned on' : 'turned off']),
    ...setDifferences(before.conditions, after.conditions, names),
    ...(before.holdout?.id === after.holdout?.id
      ? []
      : changeLine('holdout', holdout(before), holdout(after))),
    ...changeLine('slice of a layer', sliceWords(before), sliceWords(after)),
    ...payloadDifferences(before.payloads, after.payloads, 'own '),
  ]
}

const sliceWords = ({ layer }: FlagSetting): string =>
  layer ? `${layer.from} to ${percentText(layer.until)} of layer ${layer.id}` : 'none'

function setDifferences(
  before: readonly ConditionSet[],
  after: readonly ConditionSet[],
  names: ConditionLabels,
): string[] {
  const [was, is] = [before, after].map((sets) => sets.map((set) => setWithDescription(set, names)))
  if (!was || !is || was.join('\n') === is.join('\n')) return []
  if (was.toSorted().join('\n') === is.toSorted().join('\n')) return ['condition sets reordered']
  const gone = was.filter((one) => !is.includes(one))
  const come = is.filter((one) => !was.includes(one))
  if (gone.length === 1 && come.length === 1) return [`${gone[0]} → ${come[0]}`]
  return [...gone.map((one) => `no more: ${one}`), ...come.map((one) => `new: ${one}`)]
}

const setWithDescription = (set: ConditionSet, names: ConditionLabels): string =>
  setInWords(set, names) + (set.description ? ` (${set.description})` : '')
