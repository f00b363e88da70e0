import { type ConditionSet, type EarlyAccess, emptySetting, type Flag, type FlagSetting } from './flag'
import { type ConditionLabels, setInWords, percentText } from './words'

/** The editable part of a flag. */
export type ComparableFlag = Pick<
  Flag,
  | 'description'
  | 'tags'
  | 'owner'
  | 'kind'
  | 'variants'
  | 'payloads'
  | 'isSecret'
  | 'bucketBy'
  | 'keepsThroughSignIn'
  | 'servedTo'
  | 'contexts'
  | 'earlyAccess'
  | 'environments'
>

/** Describes the changes between two versions, a sentence for each part. */
export function differences(before: ComparableFlag, after: ComparableFlag, names: ConditionLabels): string[] {
  return [
    ...plainDifferences(before, after),
    ...variantDifferences(before, after),
    ...payloadDifferences(before.payloads, after.payloads, ''),
    ...environmentDifferences(before, after, names),
  ]
}

/** The parts that have a single value. */
const plainParts: { label: string; words: (flag: ComparableFlag) => string }[] = [
  { label: 'Description', words: ({ description }) => quoted(description) },
  { label: 'Tags', words: ({ tags }) => listed(tags) },
  { label: 'Owner', words: ({ owner }) => quoted(owner) },
  { label: 'Type', words: ({ kind }) => kind },
  { label: 'Secret', words: ({ isSecret }) => yesOrNo(isSecret) },
  { label: 'Bucket by', words: ({ bucketBy }) => (bucketBy.by === 'group' ? bucketBy.group : bucketBy.by) },
  {
    label: 'Persist across login',
    words: ({ keepsThroughSignIn }) => yesOrNo(keepsThroughSignIn),
  },
  { label: 'Evaluation runtime', words: ({ servedTo }) => servedTo },
  { label: 'Contexts', words: ({ contexts }) => listed(contexts) },
  { label: 'Early access', words: ({ earlyAccess }) => earlyAccessWords(earlyAccess) },
]

const plainDifferences = (before: ComparableFlag, after: ComparableFlag): string[] =>
  plainParts.flatMap(({ label, words }) => changeLine(label, words(before), words(after)))

const changeLine = (label: string, was: string, is: string): string[] =>
  was === is ? [] : [`${label}: ${was} → ${is}`]

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text}”`)
const listed = (texts: readonly string[]): string => texts.join(', ') || 'none'
const yesOrNo = (answer: boolean): string => (answer ? 'yes' : 'no')

const earlyAccessWords = (access: EarlyAccess | undefined): string =>
  access
    ? [access.name, access.stage, access.description, access.documentationUrl].filter(Boolean).join(', ')
    : 'none'

function variantDifferences(before: ComparableFlag, after: ComparableFlag): string[] {
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
  const order = (flag: ComparableFlag) => flag.variants.map(({ key }) => key).join()
  return found.length === 0 && order(before) !== order(after) ? ['Variants reordered'] : found
}

function payloadDifferences(before: Flag['payloads'], after: Flag['payloads'], where: string): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const label = `${where}Value of ${key === 'true' ? 'on' : key}`
    return changeLine(label, before[key] ?? 'nothing', after[key] ?? 'nothing')
  })
}

function environmentDifferences(
  before: ComparableFlag,
  after: ComparableFlag,
  names: ConditionLabels,
): string[] {
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
