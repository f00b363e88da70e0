import type { ConditionSet, EarlyAccess, Flag, Setting } from './flag'
import { type Names, setInWords, share } from './words'

/** What somebody can change about a flag. */
export type Changeable = Pick<
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

/** What changed from one to the other, a sentence for each part. */
export function differences(before: Changeable, after: Changeable, names: Names): string[] {
  return [
    ...plainDifferences(before, after),
    ...variantDifferences(before, after),
    ...payloadDifferences(before.payloads, after.payloads, ''),
    ...environmentDifferences(before, after, names),
  ]
}

/** Each part that is simply one thing or another. */
const plainParts: { label: string; words: (flag: Changeable) => string }[] = [
  { label: 'Description', words: ({ description }) => quoted(description) },
  { label: 'Tags', words: ({ tags }) => listed(tags) },
  { label: 'Owner', words: ({ owner }) => quoted(owner) },
  { label: 'Kind', words: ({ kind }) => kind },
  { label: 'Secret', words: ({ isSecret }) => yesOrNo(isSecret) },
  { label: 'Decided by', words: ({ bucketBy }) => (bucketBy.by === 'group' ? bucketBy.group : bucketBy.by) },
  {
    label: 'Kept through sign-in',
    words: ({ keepsThroughSignIn }) => yesOrNo(keepsThroughSignIn),
  },
  { label: 'Served to', words: ({ servedTo }) => servedTo },
  { label: 'Contexts', words: ({ contexts }) => listed(contexts) },
  { label: 'Early access', words: ({ earlyAccess }) => earlyAccessWords(earlyAccess) },
]

const plainDifferences = (before: Changeable, after: Changeable): string[] =>
  plainParts.flatMap(({ label, words }) => changed(label, words(before), words(after)))

const changed = (label: string, was: string, is: string): string[] =>
  was === is ? [] : [`${label}: ${was} → ${is}`]

const quoted = (text: string): string => (text === '' ? 'nothing' : `“${text}”`)
const listed = (texts: readonly string[]): string => texts.join(', ') || 'none'
const yesOrNo = (answer: boolean): string => (answer ? 'yes' : 'no')

const earlyAccessWords = (access: EarlyAccess | undefined): string =>
  access
    ? [access.name, access.stage, access.description, access.documentationUrl].filter(Boolean).join(', ')
    : 'none'

function variantDifferences(before: Changeable, after: Changeable): string[] {
  const keys = new Set([...before.variants, ...after.variants].map(({ key }) => key))
  const found = [...keys].flatMap((key) => {
    const was = before.variants.find((one) => one.key === key)
    const is = after.variants.find((one) => one.key === key)
    if (!was) return is ? [`Variant ${key} added, ${share(is.percentage)}`] : []
    if (!is) return [`Variant ${key} removed`]
    return [
      ...changed(`Variant ${key}`, share(was.percentage), share(is.percentage)),
      ...changed(`Name of variant ${key}`, quoted(was.name), quoted(is.name)),
    ]
  })
  const order = (flag: Changeable) => flag.variants.map(({ key }) => key).join()
  return found.length === 0 && order(before) !== order(after) ? ['Variants: another order'] : found
}

function payloadDifferences(before: Flag['payloads'], after: Flag['payloads'], where: string): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const label = `${where}Value of ${key === 'true' ? 'on' : key}`
    return changed(label, before[key] ?? 'nothing', after[key] ?? 'nothing')
  })
}

function environmentDifferences(before: Changeable, after: Changeable, names: Names): string[] {
  const all = new Set([...Object.keys(before.environments), ...Object.keys(after.environments)])
  return [...all].flatMap((name) =>
    settingDifferences(before.environments[name] ?? unset, after.environments[name] ?? unset, names).map(
      (line) => `${name}: ${line}`,
    ),
  )
}

const unset: Setting = { isOn: false, conditions: [], holdout: undefined, payloads: {} }

function settingDifferences(before: Setting, after: Setting, names: Names): string[] {
  const holdout = ({ holdout: one }: Setting) => (one ? `${share(one.percentage)} held out` : 'nobody')
  return [
    ...(before.isOn === after.isOn ? [] : [after.isOn ? 'turned on' : 'turned off']),
    ...setDifferences(before.conditions, after.conditions, names),
    ...(before.holdout?.id === after.holdout?.id ? [] : changed('holdout', holdout(before), holdout(after))),
    ...payloadDifferences(before.payloads, after.payloads, 'own '),
  ]
}

function setDifferences(
  before: readonly ConditionSet[],
  after: readonly ConditionSet[],
  names: Names,
): string[] {
  const [was, is] = [before, after].map((sets) => sets.map((set) => wholly(set, names)))
  if (!was || !is || was.join('\n') === is.join('\n')) return []
  if (was.toSorted().join('\n') === is.toSorted().join('\n')) return ['condition sets: another order']
  const gone = was.filter((one) => !is.includes(one))
  const come = is.filter((one) => !was.includes(one))
  if (gone.length === 1 && come.length === 1) return [`${gone[0]} → ${come[0]}`]
  return [...gone.map((one) => `no more: ${one}`), ...come.map((one) => `new: ${one}`)]
}

const wholly = (set: ConditionSet, names: Names): string =>
  setInWords(set, names) + (set.description ? ` (${set.description})` : '')
